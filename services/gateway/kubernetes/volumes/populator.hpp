#pragma once
#include <set>

#include "services/gateway/core/seals.hpp"
#include "services/gateway/kubernetes/objects/objects.hpp"
#include "services/gateway/kubernetes/objects/watch.hpp"
#include "services/gateway/kubernetes/volumes/populate.hpp"

namespace kopiur::gateway::kubernetes {

/// Performs the steps that populate.hpp returns. All state is in the cluster; if nothing is due, nothing is written.
class populator {
 public:
  struct settings {
    std::string namespace_;                                               ///< the only namespace that is served; empty: all
    std::function<void(std::string)> report = [](std::string const&) {};  ///< receives failures
    std::function<awaitable<outcome<void>>(proto::record_event)> record;  ///< writes an Event
  };
  /// Arguments by reference must outlive it. `marks` judges claims.
  populator(client& api, clock& time, asio::any_io_executor loop, watch const& seen, seals const& marks, settings settings)
      : api_(api), objects_(api), time_(time), seen_(seen), marks_(marks), settings_(std::move(settings)), woken_(loop) {}

  /// The kinds in which it searches (watch::matching).
  static std::set<std::string, std::less<>> searched_kinds();
  /// For the Job that fills a claim that waits for its data: creates the prime claim, and returns the command with it in the claim's place.
  /// Other commands are unchanged. Unavailable: not now.
  awaitable<outcome<proto::create_job>> with_prime(proto::create_job command);
  /// Something changed, or all was listed: look again soon.
  void look_soon() { woken_.notify(); }
  /// Ends by cancellation only. Only the active gateway calls it.
  awaitable<void> run();

 private:
  struct held;
  awaitable<outcome<json::value>> prime_for(json::value const& claim, std::string filled_before);
  awaitable<outcome<std::string>> prime_to_fill(json::value claim);
  std::vector<held> claims_due() const;
  held sight_of(json::value claim, std::vector<json::value> const& handed) const;
  awaitable<bool> look();
  awaitable<bool> advance(held it);
  awaitable<outcome<void>> take(populate_step step, held const& it);
  awaitable<outcome<void>> remove_prime(held const& it, bool verify);
  awaitable<outcome<void>> finish(held const& it, release_claim last);
  awaitable<void> tell(json::value const& claim, std::string type, std::string reason, std::string message);
  void say_once(std::string sentence);
  awaitable<outcome<void>> release_orphan(json::value const& volume);

  client& api_;
  objects objects_;
  clock& time_;
  watch const& seen_;
  seals const& marks_;
  settings settings_;
  app::event woken_;
  std::set<std::string, std::less<>> complained_;  // uid and reason: reported once
  std::string said_;                               // the last reported failure
};

}  // namespace kopiur::gateway::kubernetes
