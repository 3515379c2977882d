#include "common/blob/s3/core/xml.hpp"
#include "common/blob/s3/core/xml_root.hpp"
#include "common/json/utf8.hpp"

namespace kopiur::blob::s3 {

pugi::xml_node add_root(pugi::xml_document& document, char const* name) {
  auto root = document.append_child(name);
  root.append_attribute("xmlns") = "http://s3.amazonaws.com/doc/2006-03-01/";
  return root;
}

bool fits_xml(std::string_view key) {
  while (!key.empty()) {
    auto length = json::character(key);
    auto first = static_cast<unsigned char>(key.front());
    bool control = first < 0x20 || first == 0x7F;
    bool not_a_character = key.starts_with("\xEF\xBF\xBE") || key.starts_with("\xEF\xBF\xBF");
    if (length == 0 || control || not_a_character) return false;
    key.remove_prefix(length);
  }
  return true;
}

std::string removals_xml(std::vector<object_name> const& names) {
  pugi::xml_document document;
  auto root = add_root(document, "Delete");
  add(root, "Quiet", "true");
  for (auto& each : names) {
    auto one = root.append_child("Object");
    add(one, "Key", each.key);
    if (!each.version.empty()) add(one, "VersionId", each.version);
  }
  return to_text(document);
}

std::string versioning_xml(bool enabled) {
  pugi::xml_document document;
  add(add_root(document, "VersioningConfiguration"), "Status", enabled ? "Enabled" : "Suspended");
  return to_text(document);
}

std::string location_xml(std::string const& region) {
  pugi::xml_document document;
  add(add_root(document, "CreateBucketConfiguration"), "LocationConstraint", region);
  return to_text(document);
}

}  // namespace kopiur::blob::s3
