#include "services/gateway/kubernetes/objects/running_pod.hpp"

#include <algorithm>
#include <tuple>

#include "common/encoding/join.hpp"
#include "services/gateway/kubernetes/objects/kinds.hpp"
#include "services/gateway/kubernetes/objects/pod.hpp"
#include "services/gateway/kubernetes/objects/refusals.hpp"

namespace kopiur::gateway::kubernetes {

using json::value;
using proto::answer_code;

namespace {

std::string term_of(proto::selector_requirement const& one) {
  switch (one.operator_) {
    case proto::selector_operator::In:
      return one.key + " in (" + encoding::join(one.values, ",") + ")";
    case proto::selector_operator::NotIn:
      return one.key + " notin (" + encoding::join(one.values, ",") + ")";
    case proto::selector_operator::Exists:
      return one.key;
    case proto::selector_operator::DoesNotExist:
      return "!" + one.key;
  }
  std::unreachable();
}

auto order_of(value const& pod) { return std::tuple(condition(pod, "Ready") == nullptr, pod.text("metadata.name")); }

}  // namespace

std::string query_of(proto::label_selector const& selector) {
  std::vector<std::string> terms;
  for (auto const& [key, content] : selector.match_labels) terms.push_back(key + "=" + content);
  for (auto const& each : selector.match_expressions) terms.push_back(term_of(each));
  return encoding::join(terms, ",");
}

awaitable<outcome<value>> running_pod(client& api, std::string ns, proto::label_selector selector) {
  auto wanted = query_of(selector);
  auto pods = co_await api.ask({.path = path_of(*resource_of("Pod"), ns), .query = {{"labelSelector", wanted}}});
  if (!pods) co_return refused(pods.error());
  auto all = items_of(std::move(*pods));
  std::erase_if(all, [](value const& each) { return each.text("status.phase") != "Running" || each.at("metadata.deletionTimestamp"); });
  auto first = std::ranges::min_element(all, {}, order_of);
  if (first != all.end()) co_return std::move(*first);
  co_return refuse(answer_code::Invalid,
                   "no running pod in " + ns + " has the labels \"" + wanted + "\": start it, or correct the selector.");
}

}  // namespace kopiur::gateway::kubernetes
