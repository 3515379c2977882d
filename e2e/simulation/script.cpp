#include "e2e/simulation/script.hpp"

#include "proto/subjects.hpp"

namespace kopiur::simulation {

using namespace std::chrono_literals;

namespace {

/// Polls every 50 ms until the condition holds; a violation if it does not hold by then.
void look(testing::world& home, instant until, std::string what, std::function<bool()> holds, std::function<void()> act) {
  if (holds()) return act();
  if (home.now() >= until) return home.violate("scenario", "it never came: " + what);
  home.at(home.now() + 50ms, [&home, until, what = std::move(what), holds = std::move(holds), act = std::move(act)]() mutable {
    look(home, until, std::move(what), std::move(holds), std::move(act));
  });
}

}  // namespace

void script::at(duration when, std::function<void()> act) const {
  auto& home = story_->home_;
  home.at(home.now() + when, [story = story_, act = std::move(act)] { story->happened(), act(); });
}

void script::when(std::string what, std::function<bool()> holds, std::function<void()> act) const {
  auto& home = story_->home_;
  look(home, home.now() + story_->options_.length, std::move(what), std::move(holds),
       [story = story_, act = std::move(act)] { story->happened(), act(); });
}

void script::within(duration limit, std::string what, std::function<bool()> holds) const {
  auto& home = story_->home_;
  look(home, home.now() + limit, std::move(what), std::move(holds), [] {});
}

json::value const* script::object(std::string_view kind, std::string_view ns, std::string_view name) const {
  return story_->object_at(kind, ns, name);
}

std::vector<json::value const*> script::objects(std::string_view kind, std::string_view ns) const {
  std::vector<json::value const*> found;
  for (auto& [key, one] : story_->data_.objects())
    if (one.text("kind") == kind && one.text("metadata.namespace") == ns) found.push_back(&one);
  return found;
}

bool script::has_snapshot(std::string const& ns, std::string const& id) const {
  return story_->data_.repository_at("/" + ns).snapshots.contains(id);
}

int script::times_restored(std::string const& ns, std::string const& name) const {
  auto found = story_->restores_per_name_.find(ns + "/" + name);
  return found == story_->restores_per_name_.end() ? 0 : found->second;
}

bool script::rests(std::string const& ns) const {
  return std::ranges::any_of(story_->frozen_, [&](auto& one) { return one.second.ns == ns; });
}

void script::create(json::value manifest) const {
  if (auto made = story_->data_.create(std::move(manifest)); !made) story_->violate("scenario", made.error().message);
}

void script::edit(json::value const& object, std::function<void(json::value& spec)> change) const {
  story_->edit(&object, std::move(change));
}
void script::annotate(json::value const& object, std::string_view annotation, std::string value) const {
  story_->annotate(object, annotation, std::move(value));
}
void script::remove(json::value const& object) const { story_->remove(&object); }
void script::remove_job_of(std::string const& name) const {
  std::vector<std::string> jobs;
  for (auto& [job, one] : story_->data_.jobs())
    if (one.order.serves.size() == 1 && one.order.serves.front().name == name) jobs.push_back(job);
  for (auto& each : jobs) story_->data_.kill_job(each);
}
void script::empty_volume(std::string const& ns, std::string const& claim) const { story_->data_.volume_of(ns, claim).files = 0; }
void script::lose_bus() const { story_->lose_bus(); }
void script::step_clock(duration by) const {
  story_->home_.step_clock(by);
  if (by < duration::zero()) story_->clock_goes_back(-by);
}
void script::set_reachable(std::string const& ns, bool value) const { story_->data_.repository_at("/" + ns).reachable = value; }
void script::forget_runs() const {
  (void)story_->net_.server().purge(std::string(proto::subjects::runs), ">");
  story_->trouble_until(1min);
  story_->net_.gap(11s);
}
datacenter& script::cluster() const { return story_->data_; }

void script::make_feeds_late(double probability) const { story_->net_.faults().feed_late = probability; }

void script::fault(std::string service, std::string verb, std::string subject, char const* what) const {
  auto& faults = story_->home_.faults();
  auto said = std::string(what) + " at " + service + "'s " + verb + " " + subject;
  auto order = faults.order({std::move(service), std::move(verb), std::move(subject), what});
  when(std::move(said), [&faults, order] { return !faults.awaited(order); }, [] {});
}

}  // namespace kopiur::simulation
