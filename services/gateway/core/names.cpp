#include "services/gateway/core/names.hpp"
#include "proto/kinds.hpp"

#include <algorithm>
#include <array>
#include <ranges>

namespace kopiur::gateway {

using proto::answer_code;

namespace {

bool is_small_alphanumeric(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

outcome<object_key> checked(object_key key) {
  bool kind_is_word = !key.kind.empty() && key.kind.size() <= 63 && std::ranges::all_of(key.kind, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  });
  if (!kind_is_word) return refuse(answer_code::Invalid, "The kind \"" + key.kind + "\" is not a kind: use letters and digits only.");
  if (!is_object_name(key.name))
    return refuse(answer_code::Invalid,
                  "metadata.name of this " + key.kind + " is \"" + key.name +
                      "\": a name has at most 253 lower-case letters, digits, \"-\" and \".\", and starts and ends with a "
                      "letter or digit.");
  if (is_cluster_scoped(key.kind)) {
    key.namespace_.clear();
    return key;
  }
  if (key.namespace_.empty()) key.namespace_ = "default";
  if (!is_label_name(key.namespace_))
    return refuse(answer_code::Invalid, "metadata.namespace of " + key.kind + " " + key.name + " is \"" + key.namespace_ +
                                            "\": a namespace has at most 63 lower-case letters, digits and \"-\".");
  return key;
}

}  // namespace

bool is_cluster_scoped(std::string_view kind) {
  static constexpr auto known = proto::infos_of(proto::mirrored_kinds{});
  static constexpr std::array<std::string_view, 8> others{"VolumeSnapshotContent", "VolumeGroupSnapshotClass", "VolumeGroupSnapshotContent",
                                                          "ClusterRole",           "ClusterRoleBinding",       "CustomResourceDefinition",
                                                          "SubjectAccessReview",   "SelfSubjectReview"};
  if (auto one = std::ranges::find(known, kind, &proto::kind_info::kind); one != known.end())
    return one->scope == proto::kind_scope::Cluster;
  return std::ranges::find(others, kind) != others.end();
}

bool is_label_name(std::string_view name) {
  return !name.empty() && name.size() <= 63 && is_small_alphanumeric(name.front()) && is_small_alphanumeric(name.back()) &&
         std::ranges::all_of(name, [](char c) { return is_small_alphanumeric(c) || c == '-'; });
}

bool is_object_name(std::string_view name) {
  if (name.empty() || name.size() > 253) return false;
  return std::ranges::all_of(name | std::views::split('.'), [](auto part) {
    std::string_view text(part.begin(), part.end());
    return !text.empty() && is_small_alphanumeric(text.front()) && is_small_alphanumeric(text.back()) &&
           std::ranges::all_of(text, [](char c) { return is_small_alphanumeric(c) || c == '-'; });
  });
}

proto::object_ref ref_of(json::value const& object) {
  auto key = key_of(object);
  return {std::move(key.kind), std::move(key.namespace_), std::move(key.name), std::string(uid_of(object))};
}

outcome<object_key> admit_key(json::value const& manifest) {
  if (!manifest.is_object()) return refuse(answer_code::Invalid, "This is not an object: a manifest has apiVersion, kind and metadata.");
  if (manifest.text("apiVersion").empty())
    return refuse(answer_code::Invalid, "apiVersion is missing: every manifest names its API version.");
  return checked(key_of(manifest));
}

outcome<object_key> admit_key(proto::object_ref const& ref) { return checked({ref.kind, ref.namespace_, ref.name}); }

}  // namespace kopiur::gateway
