#pragma once
#include "proto/schema/notes.hpp"

/// Rules that several kinds share.
namespace kopiur::proto {

/// At a kind's root: a named namespace of a repository must be the object's own, which CEL cannot see.
schema::rule same_namespace_rule();

}  // namespace kopiur::proto
