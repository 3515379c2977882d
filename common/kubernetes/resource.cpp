#include "common/kubernetes/resource.hpp"

#include <cctype>

namespace kopiur::kubernetes {

std::string path_of(resource const& resource, std::string_view ns, std::string_view name, std::string_view subresource) {
  auto path = (resource.group_version.contains('/') ? "/apis/" : "/api/") + std::string(resource.group_version);
  if (!ns.empty()) path += "/namespaces/" + encoded(ns);
  path += "/" + std::string(resource.plural);
  if (!name.empty()) path += "/" + encoded(name);
  if (!subresource.empty()) path += "/" + std::string(subresource);
  return path;
}

std::string path_of(resource const& resource, object_key const& key, std::string_view subresource) {
  return path_of(resource, key.namespace_, key.name, subresource);
}

std::string encoded(std::string_view part) {
  static constexpr char digits[] = "0123456789ABCDEF";
  std::string out;
  for (char each : part) {
    auto c = static_cast<unsigned char>(each);
    if (std::isalnum(c) || std::string_view("-._~").contains(each))
      out += each;
    else
      out += '%', out += digits[c >> 4], out += digits[c & 15];
  }
  return out;
}

}  // namespace kopiur::kubernetes
