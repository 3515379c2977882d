#pragma once
#include <gtest/gtest.h>

#include "common/json/codec.hpp"
#include "services/provisioner/core/access_decision.hpp"
#include "services/systems/buckety/config/load.hpp"

/// One Buckety on one S3 backend, and what a pass has learned about it.
namespace kopiur::provisioner {

inline buckety::controller_config config_with(std::string const& backend) {
  auto text = "backends: [{name: " + backend +
              ", driver: s3, defaults: {zone: eu}, config: {endpoint: \"http://s3\", accessKeyID: root, secretAccessKey: hunter2}}]";
  return buckety::load("c.yaml", text, [](auto const&) { return std::nullopt; }, buckety::all_drivers()).value();
}

struct scene {
  buckety::controller_config config = config_with("objects");
  controller::objects all;
  stamped_names names;
  facts known;

  scene() {
    all.listed = true;
    auto& one = all.of<proto::buckety>()[{"home", "photos"}];
    one.metadata = {.name = "photos", .namespace_ = "home", .uid = "u1", .generation = 3};
    one.metadata.finalizers = {std::string(proto::finalizer::buckety_cleanup)};
    one.spec.backend = "objects";
  }
  proto::buckety& object() { return all.of<proto::buckety>()[{"home", "photos"}]; }
  /// As after its first pass.
  void stamp(proto::resource_provenance origin) {
    object().status = {.backend = "objects",
                       .driver = "s3",
                       .driver_major = 0,
                       .backend_store = "s3",
                       .backend_resource_name = "photos",
                       .provenance = origin};
  }
  void mark_deleted() { object().metadata.deletion_timestamp = instant(duration(1)); }
  proto::buckety_access& access(std::string name) {
    auto& one = all.of<proto::buckety_access>()[{"home", name}];
    one.metadata = {.name = name, .namespace_ = "home", .uid = "a-" + name, .generation = 1};
    one.metadata.finalizers = {std::string(proto::finalizer::buckety_cleanup)};
    one.spec = {.buckety_ref = {"photos"}, .credentials_secret_name = name + "-secret"};
    return one;
  }
  /// The access that the provisioner makes for a defaultAccess.
  proto::buckety_access& implicit() {
    auto& one = access("photos");
    one.metadata.labels[std::string(proto::label::buckety_implicit)] = "true";
    one.metadata.owner_references = {{.kind = "Buckety", .name = "photos", .uid = "u1", .controller = true}};
    return one;
  }
  /// A repository that has its bucket from the Buckety; `access`: by this BucketyAccess.
  proto::repository& repository(std::string name, std::optional<std::string> access = {}) {
    auto& one = all.of<proto::repository>()[{"home", name}];
    one.metadata = {.name = name, .namespace_ = "home"};
    one.spec.backend = proto::s3_backend{.buckety_ref = proto::buckety_ref{.name = "photos", .access = std::move(access)}};
    return one;
  }
  settings_view settings() const { return {config, buckety::all_drivers()}; }
  step next() { return provisioner::next(view_of(all, object(), settings(), names), known); }
  template <class Step>
  Step expect() {
    auto what = next();
    EXPECT_TRUE(std::holds_alternative<Step>(what)) << "step " << what.index();
    return std::holds_alternative<Step>(what) ? std::get<Step>(what) : Step{};
  }
  access_step next_of(std::string name, access_facts const& facts = {}) {
    auto& one = all.of<proto::buckety_access>().at({"home", name});
    return provisioner::next(view_of(all, one, settings()), facts);
  }
};

inline proto::condition_fragment ready_of(finished const& end) {
  return end.status ? end.status->conditions.at(0) : proto::condition_fragment{};
}
inline std::string reason_of(finished const& end) { return ready_of(end).reason; }
inline proto::condition_fragment const* condition_in(finished const& end, std::string_view type) {
  if (!end.status) return nullptr;
  for (auto& each : end.status->conditions)
    if (each.type == type) return &each;
  return nullptr;
}
template <class Command>
Command const* command_in(finished const& end) {
  for (auto& each : end.commands)
    if (auto* one = std::get_if<Command>(&each)) return one;
  return nullptr;
}

}  // namespace kopiur::provisioner
