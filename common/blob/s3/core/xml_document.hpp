#pragma once
#include <pugixml.hpp>
#include <string>
#include <string_view>

namespace kopiur::blob::s3 {

/// Reads a document; the error is a clause. `root` is the name of its first element, which must be that one.
inline std::string load(pugi::xml_document& into, std::string_view text, char const* root) {
  auto read = into.load_buffer(text.data(), text.size(), pugi::parse_default | pugi::parse_ws_pcdata_single, pugi::encoding_utf8);
  if (!read) return std::string("it is not XML (") + read.description() + ")";
  std::string name = into.document_element().name();
  return name == root ? "" : "it is <" + name.substr(0, 40) + ">, not <" + root + ">";
}

/// The first element of a new document.
pugi::xml_node add_root(pugi::xml_document& document, char const* name);
/// Appends an element with a text.
void add(pugi::xml_node parent, char const* name, std::string const& value);
/// Writes a document without indentation, which would become part of the values.
std::string to_text(pugi::xml_document const& from);

}  // namespace kopiur::blob::s3
