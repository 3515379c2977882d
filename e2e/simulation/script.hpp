#pragma once
#include <functional>
#include <string>

#include "e2e/simulation/story.hpp"

namespace kopiur::simulation {

/// A scenario: what users do and what fails, at which time, event or call. It names objects, services, troubles and calls of the ports, but
/// nothing inside a service, so scenarios survive refactoring. Each violation that a seed showed becomes one (regressions/). This is a
/// handle: copies refer to the same story and must not outlive it.
class script {
 public:
  explicit script(story& story) : story_(&story) {}

  /// Runs `act` after this delay, counted from the call.
  void at(duration when, std::function<void()> act) const;
  /// Runs `act` as soon as the condition holds; polled every 50 ms. It is a violation if it does not hold before the story ends.
  void when(std::string what, std::function<bool()> holds, std::function<void()> act) const;
  /// It is a violation if the condition does not hold within the limit.
  void within(duration limit, std::string what, std::function<bool()> holds) const;

  /// The current object; null if it does not exist.
  json::value const* object(std::string_view kind, std::string_view ns, std::string_view name) const;
  /// All objects of a kind in a namespace.
  std::vector<json::value const*> objects(std::string_view kind, std::string_view ns) const;

  /// Whether the repository of the namespace holds the snapshot of that id.
  bool has_snapshot(std::string const& ns, std::string const& id) const;
  /// Whether hooks have quiesced an application of the namespace.
  bool rests(std::string const& ns) const;
  /// How often movers have written for Restores of that name.
  int times_restored(std::string const& ns, std::string const& name) const;

  // What users do.
  void create(json::value manifest) const;
  void edit(json::value const& object, std::function<void(json::value& spec)> change) const;
  void annotate(json::value const& object, std::string_view annotation, std::string value) const;
  void remove(json::value const& object) const;
  /// kubectl delete job --force for the Jobs of the object of that name: they disappear at once, with their results.
  void remove_job_of(std::string const& name) const;

  // What fails.
  /// The cluster, to plant a bug in it or to install a foreign kind.
  datacenter& cluster() const;
  /// From now on the claim holds no files: its volume is not mounted.
  void empty_volume(std::string const& ns, std::string const& claim) const;
  void lose_bus() const;
  /// From now on each service may hear of a change late, with this probability.
  void make_feeds_late(double probability) const;
  /// Steps every clock forward, or back.
  void step_clock(duration by) const;
  /// Makes the storage of the namespace's repository reachable, or not.
  void set_reachable(std::string const& ns, bool value) const;
  /// As after 90 days: the facts of runs have expired, and their consumers start again.
  void forget_runs() const;
  /// Injects a fault into the next call of this verb by the service whose subject contains `subject`. It is a violation if that call does
  /// not come before the story ends.
  void fault(std::string service, std::string verb, std::string subject, char const* what) const;

 private:
  story* story_;
};

}  // namespace kopiur::simulation
