#include "services/gateway/kubernetes/objects/other_operator.hpp"

#include <algorithm>

#include "common/kubernetes/definition.hpp"
#include "services/gateway/kubernetes/objects/kinds.hpp"

namespace kopiur::gateway::kubernetes {

using namespace std::chrono_literals;

namespace {

constexpr duration look_every = 30s, until_known = 2s;
constexpr std::string_view feature_gate = "feature-gate.release.openshift.io/";

}  // namespace

bool is_our_definition(json::value const& definition) {
  auto* labels = definition.at("metadata.labels");
  auto* made_for = labels ? labels->find("app.kubernetes.io/part-of") : nullptr;
  if (!made_for || *made_for != json::value("kopiur")) return false;
  auto* annotations = definition.at("metadata.annotations");
  auto* members = annotations ? annotations->as_object() : nullptr;
  return !members || std::ranges::none_of(*members, [](auto& one) { return one.first.starts_with(feature_gate); });
}

std::string path_of_deployment(std::string_view text) {
  auto slash = text.find('/');
  bool is_one = slash != text.npos && slash > 0 && slash + 1 < text.size();
  return is_one ? path_of(*resource_of("Deployment"), text.substr(0, slash), text.substr(slash + 1)) : "";
}

awaitable<result<bool>> other_operator::is_alive() {
  auto there = co_await api_.ask({.path = path_of_deployment(options_.deployment)});
  if (!there && there.error().code == failure::not_found) co_return false;
  if (!there) co_return std::unexpected(std::move(there).error());
  auto* available = there->at("status.availableReplicas");
  co_return available && available->as_int() && *available->as_int() > 0;
}

awaitable<result<bool>> other_operator::look() {
  auto there =
      co_await api_.ask({.path = path_of(kopiur::kubernetes::definitions, "", kopiur::kubernetes::definition_name(options_.kind))});
  if (!there && there.error().code == failure::not_found) co_return false;
  if (!there) co_return std::unexpected(std::move(there).error());
  if (is_our_definition(*there)) co_return false;
  co_return co_await is_alive();
}

awaitable<void> other_operator::look_once() {
  auto now = co_await look();
  if (now && std::exchange(serves_, *now) != *now) options_.changed();
  if (!now) options_.told(now.error());
}

awaitable<void> other_operator::run() {
  for (;; co_await time_.sleep_for(serves_ ? look_every : until_known)) co_await look_once();
}

}  // namespace kopiur::gateway::kubernetes
