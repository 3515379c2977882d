#pragma once
#include "common/kubernetes/collection.hpp"
#include "common/kubernetes/definition.hpp"

namespace kopiur::kubernetes {

/// The contents of a collection whose CustomResourceDefinition may be absent, and may come and go meanwhile. While the definition does not
/// serve the resource, the objects are unknown: the last known ones stay, and none is reported as deleted. The API server deletes all
/// objects of a definition that is deleted; so a deletion is reported only after a later read of the same definition has shown that it
/// still serves the resource, and the end of a list likewise. When that cannot be read, the caller is told and the change waits.
class optional_collection {
 public:
  enum class state {
    unread,  ///< neither the definition nor a complete list was read yet
    absent,  ///< the definition was read, and does not serve the resource
    listed   ///< listed to the end, and followed since
  };
  struct listener {
    std::function<void(json::value object)> is;
    std::function<void(object_key key, std::string uid)> gone;
    std::function<void()> changed;  ///< is() is another
  };
  /// `look_every`: how often the definition is read, to find it and to notice its removal.
  optional_collection(client& api, clock& time, reflector::options options, listener listener, duration look_every = duration(30'000));

  /// Ends by cancellation only.
  awaitable<void> run();
  state is() const { return state_; }

 private:
  awaitable<result<definition>> look();
  awaitable<definition> look_until_read();
  awaitable<void> follow(std::string uid);
  awaitable<void> until_it_changes();
  awaitable<bool> is_proven();
  bool is_followed(definition const& now) const { return now.serves && now.uid == uid_; }
  void turn(state now);
  awaitable<void> pause();

  client& api_;
  clock& time_;
  resource resource_;
  duration look_every_;
  std::function<void(error const&)> told_;
  std::function<void()> changed_;
  app::event missing_;        // the collection was answered with 404
  std::optional<error> why_;  // that answer
  std::optional<collection> objects_;
  std::string uid_;  // of the definition that is followed
  state state_ = state::unread;
  int failures_ = 0;
};

}  // namespace kopiur::kubernetes
