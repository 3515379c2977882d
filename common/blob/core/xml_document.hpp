#pragma once
#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "common/blob/core/refusal.hpp"

namespace kopiur::blob {

/// Reads a document; the error is a clause. `root` is the name of its first element, which must be that one.
std::string load(pugi::xml_document& into, std::string_view text, char const* root);
/// Appends an element with a text.
void add(pugi::xml_node parent, char const* name, std::string const& value);
/// Writes a document without indentation, which would become part of the values.
std::string to_text(pugi::xml_document const& from);

}  // namespace kopiur::blob
