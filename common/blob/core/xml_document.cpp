#include "common/blob/core/xml_document.hpp"

#include <sstream>

namespace kopiur::blob {

std::string load(pugi::xml_document& into, std::string_view text, char const* root) {
  auto read = into.load_buffer(text.data(), text.size(), pugi::parse_default | pugi::parse_ws_pcdata_single, pugi::encoding_utf8);
  if (!read) return std::string("it is not XML (") + read.description() + ")";
  std::string name = into.document_element().name();
  return name == root ? "" : "it is <" + name.substr(0, 40) + ">, not <" + root + ">";
}

void add(pugi::xml_node parent, char const* name, std::string const& value) {
  parent.append_child(name).append_child(pugi::node_pcdata).set_value(value.c_str());
}

std::string to_text(pugi::xml_document const& from) {
  std::ostringstream text;
  from.save(text, "", pugi::format_raw | pugi::format_no_declaration, pugi::encoding_utf8);
  return text.str();
}

error_document read_error_document(std::string_view text) {
  pugi::xml_document document;
  if (!load(document, text, "Error").empty()) return {};
  auto from = document.document_element();
  return {.code = from.child_value("Code"),
          .message = from.child_value("Message"),
          .request = from.child_value("RequestId"),
          .region = from.child_value("Region"),
          .server_time = from.child_value("ServerTime")};
}

}  // namespace kopiur::blob
