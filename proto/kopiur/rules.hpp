#pragma once
#include "proto/schema/notes.hpp"

/// Rules that several kinds share.
namespace kopiur::proto {

/// For a kind's root: a repository reference may only name the object's own namespace, which CEL cannot see.
schema::rule same_namespace_rule();

}  // namespace kopiur::proto
