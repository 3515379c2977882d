#pragma once
#include <deque>
#include <set>

#include "common/compression/similar_texts.hpp"
#include "services/gateway/kubernetes/objects/other_operator.hpp"
#include "services/gateway/shell/cluster.hpp"

namespace kopiur::gateway::kubernetes {

/// Whether this resourceVersion is later than that one. False when they cannot be compared: all known servers count up.
bool is_newer(std::string_view version, std::string_view than);

/// The objects of several kinds, in the form in which they are published (mirror_form), and every change of them. A change that the answer
/// to one of our writes has already reported is not reported again by the watch, nor are older ones.
class watch {
 public:
  /// The reflectors' `told` receives failures: they retry forever.
  struct kinds {
    std::vector<reflector::options> required;
    std::vector<reflector::options> foreign{};  ///< a cluster may lack them
    /// For kinds among `required`: the Deployment of the operator that may serve it instead, as `namespace/name`.
    std::map<std::string_view, std::string> other_operators{};
    std::set<std::string, std::less<>> searched{};  ///< matching() is for these
  };
  /// `tell` receives each change; `listed` is called once, when every kind has been listed, or is foreign and not installed.
  watch(client& api, clock& time, kinds kinds, std::function<void(cluster_change)> tell, std::function<void()> listed);

  /// Ends by cancellation only.
  awaitable<void> run();
  std::vector<object_key> keys() const;
  /// What is known of foreign kinds, and of kinds that another operator may serve.
  std::vector<cluster_change> seen_kinds() const;
  std::optional<json::value> object(object_key const& key) const;
  /// Its resourceVersion; empty when it is not known.
  std::string_view version(object_key const& key) const;
  /// The objects of a searched kind whose text (compact JSON) passes `may_matter`: only these are parsed.
  std::vector<json::value> matching(std::string_view kind, std::function<bool(std::string_view)> const& may_matter) const;
  bool told() const;
  /// Learns and reports the answer to one of our writes, which named its base version. The watch is a millisecond behind, and a run's Job
  /// waits for its receipt.
  void wrote(json::value const& object);

 private:
  struct held {
    std::string text;  // packed by texts_, unless its kind is searched
    std::string version;
    bool answered = false;  // from the answer to a write, and reported; the watch is still behind
  };
  void is(json::value object);
  void learn(held& known, json::value form, bool answered);
  json::value form_of(object_key const& key, held const& known) const;
  void follow(client& api, clock& time, reflector::options foreign);
  void ask_about(client& api, clock& time, reflector::options const& kind, std::string deployment);
  void gone(object_key key, std::string uid);
  void tell_listed();
  static kind_seen seen(std::string_view kind, optional_collection const& objects);
  static kind_seen seen(other_operator const& other);

  std::function<void(cluster_change)> tell_;
  std::function<void()> listed_;
  std::deque<collection> kinds_;
  std::deque<other_operator> others_;
  std::map<std::string_view, optional_collection> foreign_;  // by kind
  bool listed_all_ = false;
  std::set<std::string, std::less<>> searched_;
  std::map<std::string, compression::similar_texts, std::less<>> texts_;  // by kind
  std::map<object_key, held> objects_;
};

}  // namespace kopiur::gateway::kubernetes
