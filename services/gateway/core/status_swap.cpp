#include "services/gateway/core/status_swap.hpp"

namespace kopiur::gateway {

namespace {

json::value field_of(json::value const* status, std::vector<std::string> const& path) {
  for (auto const& member : path) status = status ? status->find(member) : nullptr;
  return status ? *status : json::value();
}

/// A merge patch (RFC 7386) of that field alone.
json::value patch_of(std::vector<std::string> const& path, json::value content) {
  for (auto member = path.rbegin(); member != path.rend(); ++member) content = json::object{{*member, std::move(content)}};
  return content;
}

}  // namespace

status_swap swapped(json::value const& object, proto::swap_status const& command) {
  auto* status = object.find("status");
  status_swap out{.status = {}, .found = field_of(status, command.path)};
  if (command.path.empty()) out.expected = false;
  if (command.path.empty() || out.found == command.set) return out;
  out.expected = command.whatever || out.found == command.expect;
  if (!out.expected) return out;
  out.status = status && status->is_object() ? *status : json::value::make_object();
  // Not by the merge alone: it would mix the content of an object with what was there.
  json::merge(*out.status, patch_of(command.path, nullptr));
  json::merge(*out.status, patch_of(command.path, command.set));
  return out;
}

}  // namespace kopiur::gateway
