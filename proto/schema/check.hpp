#pragma once
#include "proto/schema/node.hpp"
#include "proto/validate.hpp"

namespace kopiur::proto::schema {

/// Appends what is wrong with `v` according to that schema, in the schema's order. The rules of a node are evaluated only if its structure
/// is valid. Parts equal to those in `old` (null: no old value) are skipped, so a later rule refuses no stored value. Comparison is as in
/// an API server: objects and maps by member, lists with a key by item, other lists as a whole.
void check(node const& by, json::value const& v, json::value const* old, format_checks const& formats, std::vector<finding>& out);

}  // namespace kopiur::proto::schema
