#pragma once
#include <functional>
#include <string>

#include "e2e/simulation/story.hpp"

namespace kopiur::simulation {

/// What a scenario says: who does what, and what goes wrong, at which time, event or call. It names objects, services, troubles and calls
/// of the ports, and nothing inside a service: so it outlives their refactoring. A handle: copies are of one story, and go no further than
/// its end. A violation that a seed has shown becomes one (regressions/).
class script {
 public:
  explicit script(story& of) : story_(&of) {}

  /// Does it so long after the start.
  void at(duration when, std::function<void()> act) const;
  /// Does it as soon as the condition holds, which is looked at every 50 ms. It has to hold before the story ends.
  void when(std::string what, std::function<bool()> holds, std::function<void()> act) const;
  /// It has to hold before so long is over.
  void within(duration limit, std::string what, std::function<bool()> holds) const;

  /// An object as it is now; null where there is none.
  json::value const* object(std::string_view kind, std::string_view ns, std::string_view name) const;
  /// All objects of a kind in a namespace.
  std::vector<json::value const*> objects(std::string_view kind, std::string_view ns) const;

  /// The repository of the namespace holds the snapshot of that id.
  bool has_snapshot(std::string const& ns, std::string const& id) const;
  /// Hooks have brought an application of the namespace to rest.
  bool rests(std::string const& ns) const;
  /// How often movers have written for Restores of that name.
  int times_restored(std::string const& ns, std::string const& name) const;

  // What users do.
  void create(json::value manifest) const;
  void edit(json::value const& object, std::function<void(json::value& spec)> change) const;
  void annotate(json::value const& object, std::string_view annotation, std::string value) const;
  void remove(json::value const& object) const;
  /// kubectl delete job --force of what works for the object of that name: it is gone at once, with all that it would have said.
  void remove_job_of(std::string const& name) const;

  // What goes wrong.
  /// The claim holds no file from now on: its volume is not mounted.
  void empty_volume(std::string const& ns, std::string const& claim) const;
  void lose_bus() const;
  /// Every clock is set so much forward, or back.
  void step_clock(duration by) const;
  /// What the namespace's repository lies on can be reached, or not.
  void set_reachable(std::string const& ns, bool to) const;
  /// 90 days pass for the facts of runs: they are gone, and their followers start over.
  void forget_runs() const;
  /// The next call of this verb that the service makes about the subject (a part of it). It has to come before the story ends.
  void fault(std::string service, std::string verb, std::string subject, char const* what) const;

 private:
  story* story_;
};

}  // namespace kopiur::simulation
