#include "services/gateway/kubernetes/objects/workload.hpp"

#include <algorithm>
#include <tuple>

#include "proto/codec.hpp"
#include "services/controller/core/objects.hpp"
#include "services/gateway/kubernetes/objects/kinds.hpp"
#include "services/gateway/kubernetes/objects/pod.hpp"
#include "services/gateway/kubernetes/objects/refusals.hpp"
#include "services/gateway/kubernetes/objects/running_pod.hpp"

namespace kopiur::gateway::kubernetes {

using json::value;
using proto::answer_code;

namespace {

auto order_of(value const& pod) {
  return std::tuple(pod.text("status.phase") != "Running", condition(pod, "Ready") == nullptr, is_terminating(pod),
                    pod.text("metadata.name"));
}

value spec_in(value const& document, std::string_view path) {
  auto* spec = document.at(path);
  return spec ? *spec : value();
}

bool makes_pods_of(value const& workload, proto::label_selector const& selector) {
  auto* labels = workload.at("spec.template.metadata.labels");
  auto read = labels ? json::decode<std::map<std::string, std::string>>(*labels) : std::map<std::string, std::string>();
  return read && controller::matches(selector, *read);
}

}  // namespace

awaitable<outcome<value>> pod_spec_of(client& api, std::string ns, proto::label_selector selector) {
  auto wanted = query_of(selector);
  auto pods = co_await api.ask({.path = path_of(*resource_of("Pod"), ns), .query = {{"labelSelector", wanted}}});
  if (!pods) co_return refused(pods.error());
  auto there = items_of(std::move(*pods));
  if (auto first = std::ranges::min_element(there, {}, order_of); first != there.end()) co_return spec_in(*first, "spec");
  for (auto kind : {"StatefulSet", "Deployment"}) {
    auto all = co_await api.ask({.path = path_of(*resource_of(kind), ns)});
    if (!all) co_return refused(all.error());
    auto items = items_of(std::move(*all));
    auto found = std::ranges::find_if(items, [&](value const& each) { return makes_pods_of(each, selector); });
    if (found != items.end()) co_return spec_in(*found, "spec.template.spec");
  }
  co_return refuse(answer_code::NotFound, "no pod in " + ns + " has the labels \"" + wanted +
                                              "\", nor has one that a StatefulSet or Deployment would make: deploy the workload, "
                                              "correct the selector, or name user and group in mover.podSecurityContext.");
}

awaitable<outcome<std::string>> image_of(client& api, proto::workload_image which) {
  object_key key{which.kind, which.namespace_, which.name};
  bool may_be = key.kind == "StatefulSet" || key.kind == "Deployment";
  if (!may_be)
    co_return refuse(answer_code::Invalid, "The image of a " + key.kind + " cannot be used: only of a Deployment or StatefulSet.");
  auto workload = co_await api.ask({.path = path_of(*resource_of(key.kind), key)});
  if (!workload) co_return refused(workload.error());
  auto* containers = workload->at("spec.template.spec.containers");
  if (containers && containers->as_array())
    for (auto const& each : *containers->as_array())
      if (each.text("name") == which.container) co_return std::string(each.text("image"));
  co_return refuse(answer_code::NotFound, key.text() + " has no container " + which.container + ", whose image is needed.");
}

}  // namespace kopiur::gateway::kubernetes
