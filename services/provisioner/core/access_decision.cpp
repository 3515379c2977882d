#include "services/provisioner/core/access_decision.hpp"

#include <set>

#include "common/encoding/join.hpp"
#include "proto/codec.hpp"
#include "services/controller/core/metadata.hpp"
#include "services/provisioner/core/conditions.hpp"
#include "services/provisioner/core/repositories.hpp"
#include "services/systems/buckety/rules/access.hpp"

namespace kopiur::provisioner {

namespace {

/// An access with the backend of its Buckety.
struct granted {
  access_view const& view;
  buckety::backend const* backend = nullptr;
  buckety::driver_rules const* driver = nullptr;
  std::optional<std::string> not_scoped{};
};

finished end(granted const& it, ready_state state) {
  auto const& object = it.view.object;
  std::vector<exceptional> more{{.type = "ScopingNotImplemented",
                                 .reason = it.not_scoped ? "DriverIgnoresRole" : "Resolved",
                                 .message = it.not_scoped.value_or(""),
                                 .holds = it.not_scoped.has_value()}};
  proto::buckety_access_status now;
  now.principal = state.ready && it.driver ? std::optional(std::string(it.driver->principal)) : object.status.principal;
  auto encoded = json::encode(now);
  encoded.erase("conditions");
  auto observed = state.ready ? object.metadata.generation : object.status.observed_generation.value_or(0);
  finished out{.status = fragment_of(object, std::move(encoded), state, observed, more)};
  if (auto event = event_of(object, state, !state.ready && !state.working)) out.commands.push_back(std::move(*event));
  return out;
}
finished fail(granted const& it, std::string reason, std::string message) {
  auto out = end(it, {.reason = std::move(reason), .message = std::move(message)});
  out.again = after_a_failure;
  return out;
}

/// The Secret: which values are known here, and which the gateway fills in.
proto::mint_secret secret_for(granted const& it) {
  auto const& object = it.view.object;
  auto const& resource = *it.view.owner->status.backend_resource_name;
  proto::mint_secret command{.owner = controller::ref_of(object), .name = object.spec.credentials_secret_name};
  command.labels.emplace(proto::label::buckety_owned, "true");
  std::set<std::string_view> absent(it.driver->secret_names.begin(), it.driver->secret_names.end());
  for (auto& entry : it.driver->secret_keys(it.backend->config, resource)) {
    absent.erase(entry.key);
    if (auto* plain = std::get_if<buckety::plain_value>(&entry.value))
      command.values[entry.key] = plain->text;
    else
      command.configured[entry.key] = {.system = std::string(proto::buckety_access::info.system),
                                       .name = it.backend->name,
                                       .field = std::string(std::get<buckety::config_field>(entry.value).name)};
  }
  command.absent.assign(absent.begin(), absent.end());
  return command;
}

access_step delete_access(access_view const& view, access_facts const& known) {
  auto const& object = view.object;
  if (!controller::has_finalizer(object.metadata, proto::finalizer::buckety_cleanup)) return finished{};
  if (!view.repositories.empty())
    return end({view}, {.reason = "DeletionBlocked",
                        .message = "These repositories use its Secret; delete them, or name another access in them: " +
                                   encoding::join(view.repositories, ", ") + "."});
  if (!known.dropped) return drop{{.owner = controller::ref_of(object), .name = object.spec.credentials_secret_name}};
  if (known.dropped->code == proto::answer_code::Ok) return finalizer_patch(controller::ref_of(object), false);
  return fail({view}, "RevokeFailed", "The Secret cannot be deleted: " + known.dropped->message);
}

finished after_minting(granted const& it, proto::answer const& said) {
  using enum proto::answer_code;
  auto const& name = it.view.object.spec.credentials_secret_name;
  switch (said.code) {
    case Ok:
      return end(it, {.ready = true, .reason = "SecretMinted", .message = "The Secret " + name + " has the credentials."});
    case AlreadyExists:
      return fail(it, "SecretConflict", said.message);
    case NotFound:
      return {};  // it is being deleted at this moment
    default:
      return fail(it, "SecretWriteFailed", "The Secret " + name + " cannot be written: " + said.message);
  }
}

}  // namespace

access_view view_of(controller::objects const& all, proto::buckety_access const& object, settings_view settings) {
  access_view view{.object = object,
                   .settings = settings,
                   .owner = controller::find(all.of<proto::buckety>(), object.metadata.namespace_, object.spec.buckety_ref.name)};
  // The access of a defaultAccess is made again, unless its Buckety is going: then repositories still need the Secret.
  bool made_again = view.owner && !view.owner->metadata.deletion_timestamp && proto::is_implicit_of(object, *view.owner);
  if (object.metadata.deletion_timestamp && !made_again) view.repositories = users_of_access(all, object);
  return view;
}

access_step next(access_view const& view, access_facts const& known) {
  auto const& object = view.object;
  if (object.metadata.deletion_timestamp) return delete_access(view, known);
  if (!controller::has_finalizer(object.metadata, proto::finalizer::buckety_cleanup))
    return finalizer_patch(controller::ref_of(object), true);
  granted it{view};
  if (!view.owner)
    return end(it, {.reason = "BucketyNotFound", .message = "There is no Buckety " + object.spec.buckety_ref.name + " in this namespace."});

  // A Secret stays valid while its Buckety is in trouble: only a name that is not stamped yet is waited for.
  if (!view.owner->status.backend_resource_name)
    return end(it, {.reason = "WaitingForBuckety",
                    .message = "The Buckety " + object.spec.buckety_ref.name + " has no resource yet; its status says why.",
                    .working = true});
  auto judged = judge(*view.owner, view.settings);
  if (judged.standing != buckety::backend_standing::Usable) return fail(it, "BackendUnavailable", judged.message);
  it.backend = judged.chosen, it.driver = judged.driver;
  auto parameters = it.driver->validate_access_parameters(object.spec.parameters);
  if (!parameters.refused.empty()) return fail(it, "InvalidParameters", buckety::text_of(parameters.refused));
  it.not_scoped = buckety::missing_scope(*it.driver, object.spec.role, parameters);
  if (!known.minted) return mint{secret_for(it)};
  return after_minting(it, *known.minted);
}

}  // namespace kopiur::provisioner
