#include "common/kubernetes/optional_collection.hpp"

#include <algorithm>

namespace kopiur::kubernetes {

using namespace std::chrono_literals;

optional_collection::optional_collection(client& api, clock& time, reflector::options options, listener listener, duration look_every)
    : api_(api),
      time_(time),
      resource_(options.resource),
      look_every_(look_every),
      told_(std::move(options.told)),
      changed_(std::move(listener.changed)),
      missing_(api.executor()) {
  options.told = [this](error const& why) {
    if (why.code != failure::not_found) return told_(why);
    why_ = why;
    missing_.notify();
  };
  objects_.emplace(api, time, std::move(options),
                   collection::listener{.is = std::move(listener.is),
                                        .gone = std::move(listener.gone),
                                        .proven = [this] { return is_proven(); },
                                        .complete = [this] { turn(state::listed); }});
}

void optional_collection::turn(state now) {
  failures_ = 0;
  if (std::exchange(state_, now) != now) changed_();
}

/// Half a second, doubled each time, half a minute at most.
awaitable<void> optional_collection::pause() {
  co_await time_.sleep_for(std::min<duration>(30s, duration(500) * (1 << std::min(failures_++, 6))));
}

/// A definition that does not exist serves nothing; every other failure proves nothing.
awaitable<result<definition>> optional_collection::look() {
  auto there = co_await api_.ask({.path = path_of(definitions, "", definition_name(resource_))});
  if (!there && there.error().code == failure::not_found) co_return definition{};
  if (!there) co_return std::unexpected(std::move(there).error());
  co_return read_definition(*there, resource_);
}

awaitable<definition> optional_collection::look_until_read() {
  for (;; co_await pause()) {
    auto now = co_await look();
    if (now) co_return *now;
    told_(now.error());
  }
}

awaitable<bool> optional_collection::is_proven() { co_return is_followed(co_await look_until_read()); }

awaitable<void> optional_collection::run() {
  for (;;) {
    auto now = co_await look_until_read();
    if (!now.serves) {
      why_.reset();
      turn(state::absent);
      co_await time_.sleep_for(look_every_);
      continue;
    }
    if (auto why = std::exchange(why_, std::nullopt)) {  // it serves the resource, yet the collection does not exist
      told_(*why);
      co_await pause();
    }
    co_await follow(std::move(now.uid));
  }
}

awaitable<void> optional_collection::follow(std::string uid) {
  uid_ = std::move(uid);
  auto seen = missing_.epoch();
  co_await app::first_of(app::first_of(objects_->run(), missing_.wait(seen)), until_it_changes());
}

awaitable<void> optional_collection::until_it_changes() {
  do co_await time_.sleep_for(look_every_);
  while (is_followed(co_await look_until_read()));
}

}  // namespace kopiur::kubernetes
