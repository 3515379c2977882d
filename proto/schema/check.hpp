#pragma once
#include "proto/schema/node.hpp"
#include "proto/validate.hpp"

namespace kopiur::proto::schema {

/// Adds what is wrong with `v` by that schema, in the schema's order. A node's rules are asked only where its structure is sound. What is
/// as it was in `old` (null: nothing was there) is not looked at: a rule that came later refuses no stored value, as with an API server,
/// which compares objects and maps member by member, lists with a key item by item, and other lists as a whole.
void check(node const& by, json::value const& v, json::value const* old, format_checks const& formats, std::vector<finding>& out);

}  // namespace kopiur::proto::schema
