#pragma once
#include <deque>

#include "services/gateway/adapters/kubernetes/collection.hpp"
#include "services/gateway/shell/cluster.hpp"

namespace kopiur::gateway::kubernetes {

/// Is this resourceVersion later than that one? Not where they cannot be compared: all servers that we know count up.
bool is_newer(std::string_view version, std::string_view than);

/// The objects of several kinds, as they travel (mirror_form), and every change of them, exactly; what a write of ours has already been
/// answered with is not told again when the watch comes to it, nor what came before it.
class watch {
 public:
  /// `tell` hears each change; `listed` is called once, when every kind has been listed. The reflectors' `told` hears failures: they never
  /// give up.
  watch(client& api, clock& time, std::vector<reflector::options> kinds, std::function<void(cluster_change)> tell,
        std::function<void()> listed);

  /// Ends by cancellation only.
  awaitable<void> run();
  /// All objects that are known.
  std::vector<cluster_change> all() const;
  /// The same by key.
  object_map objects() const;
  std::optional<json::value> object(object_key const& key) const;
  /// Its resourceVersion; empty where it is not known.
  std::string_view version(object_key const& key) const;
  /// Those of a kind whose text (compact JSON) `may_matter`: only these are parsed.
  std::vector<json::value> matching(std::string_view kind, std::function<bool(std::string_view)> const& may_matter) const;
  bool told() const;
  /// What a write of ours was answered with, which named the version it is made from: known and told at once. The watch is a millisecond
  /// behind, and a run's Job waits for its receipt.
  void wrote(json::value const& object);

 private:
  struct held {
    std::string text;  // a fifth of the memory
    std::string version;
    bool answered = false;  // to a write of ours, and told; the watch has not come to it yet
  };
  void is(json::value object);
  void learn(held& known, json::value form, bool answered);

  std::function<void(cluster_change)> tell_;
  std::function<void()> listed_;
  std::deque<collection> kinds_;
  std::map<object_key, held> objects_;
};

}  // namespace kopiur::gateway::kubernetes
