#pragma once
#include <map>
#include <memory>
#include <string>

#include "common/app/work_queue.hpp"
#include "services/controller/shell/service_base.hpp"
#include "services/provisioner/core/access_decision.hpp"
#include "services/provisioner/shell/bounded_driver.hpp"
#include "services/provisioner/shell/claims.hpp"

namespace kopiur::provisioner {

struct options {
  std::string cluster = "local";
  std::shared_ptr<buckety::controller_config const> config{};  ///< nullptr: no backends
  duration cadence{300'000};                                   ///< how often a resource is looked at without a change
  /// Makes the drivers of this process.
  std::function<driver_maker(clock&, boost::asio::any_io_executor)> drivers{};
  std::string replica{};  ///< unique among the replicas
  controller::process_shared shared = {};
  /// Asked before each call that changes a resource, where no claim on a common bus keeps two processes apart: whether this one may.
  std::function<bool()> may_change = [] { return true; };
};

/// Provides named resources on backing services, and Secrets with credentials for them.
class service : public controller::service_base {
 public:
  service(bus::port& bus, clock& time, boost::asio::any_io_executor loop, options options);

 private:
  /// An object, and the backend that its work may wait for: a backend that hangs has at most half of the workers.
  struct work_key {
    proto::object_key object;
    std::string backend;
    auto operator<=>(work_key const&) const = default;
  };
  /// What this replica wrote into a Secret last: while the Secret is as it was then, it is not asked for again for a while.
  struct minted_state {
    std::string access_uid, secret_uid, secret_version, wanted;
    instant when{};
  };
  /// The status that this replica wrote last, without messages: one that differs in messages only waits.
  struct told_state {
    std::string substance;
    instant when{};
  };
  /// One pass over a Buckety.
  struct pass_state {
    facts known{};
    std::string basis{};                  ///< what the facts are about: another object, spec or name makes them void
    std::optional<resource_call> name{};  ///< that it asked the claim of
    instant held_since{};
    proto::object_ref owner{};
  };

  task work() override;
  task follow();
  work_key key_of(proto::object_ref const& object) const;
  task look_at(work_key key);
  task look_at_resource(work_key key);
  task look_at_access(work_key key);
  settings_view settings() const { return {*options_.config, buckety::all_drivers()}; }

  bool is_minted(proto::buckety_access const& object, proto::mint_secret const& command, std::string const& wanted) const;
  void note_change(proto::object_ref const& changed);
  task perform(step const& what, proto::buckety const& object, pass_state& pass);
  boost::asio::awaitable<bool> still_holds(pass_state& pass, proto::object_ref owner);
  driver& driver_of(buckety::backend const& backend);
  boost::asio::awaitable<std::variant<proto::buckety, object_gone, call_failed>> read_object(proto::object_ref object);
  task catch_up();
  boost::asio::awaitable<bool> owns(proto::object_ref object, resource_call what);
  boost::asio::awaitable<proto::answer> mint_secret(proto::buckety_access object, proto::mint_secret command);
  template <class Object>
  task end(work_key key, Object object, finished result);

  options options_;
  driver_maker make_;
  claims claims_;
  stamped_names names_;
  std::map<std::string, std::unique_ptr<driver>> drivers_;  // by backend
  std::map<proto::object_key, minted_state> minted_;        // by access
  std::map<proto::object_key, told_state> told_;
  instant started_{};
  app::work_queue<work_key> queue_;
};

}  // namespace kopiur::provisioner
