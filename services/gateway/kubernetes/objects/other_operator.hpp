#pragma once
#include "services/gateway/kubernetes/objects/api.hpp"

namespace kopiur::gateway::kubernetes {

/// Whether a kind of ours is served by another operator: its CustomResourceDefinition is not ours, and the Deployment of that operator has
/// available pods. A failure to read proves nothing and changes nothing.
class other_operator {
 public:
  struct options {
    resource kind;                                                 ///< whose definition is read
    std::string deployment;                                        ///< of the operator: `namespace/name`
    std::function<void(error const&)> told = [](error const&) {};  ///< receives failures
    std::function<void()> changed;                                 ///< serves() is another, or known
  };
  other_operator(client& api, clock& time, options options) : api_(api), time_(time), options_(std::move(options)) {}

  /// Looks every 30 s; ends by cancellation only.
  awaitable<void> run();
  awaitable<void> look_once();
  /// Nothing: not known yet.
  std::optional<bool> serves() const { return serves_; }
  std::string_view kind() const { return options_.kind.kind; }

 private:
  awaitable<result<bool>> look();
  awaitable<result<bool>> is_alive();

  client& api_;
  clock& time_;
  options options_;
  std::optional<bool> serves_;
};

/// Whether the chart has made the definition, and nobody has applied another one over it. HyperShift's carries its feature gate.
bool is_our_definition(json::value const& definition);
/// The path of the Deployment `namespace/name`; empty: the text is none.
std::string path_of_deployment(std::string_view text);

}  // namespace kopiur::gateway::kubernetes
