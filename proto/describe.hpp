#pragma once
#include <type_traits>

#include "common/json/describe.hpp"

namespace kopiur::proto::schema {
struct type_notes;
}

/// Describes a struct that has schema notes: `notes_of` (schema/notes.hpp), defined in the header's .cpp. A missing definition is a link
/// error.
#define KOPIUR_DESCRIBE_NOTED(TYPE, BASES, MEMBERS) \
  KOPIUR_DESCRIBE(TYPE, BASES, MEMBERS)             \
  schema::type_notes notes_of(std::type_identity<TYPE>);
