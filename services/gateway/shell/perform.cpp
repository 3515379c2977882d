#include "services/gateway/shell/perform.hpp"

#include <algorithm>

#include "proto/codec.hpp"
#include "proto/core/kubernetes.hpp"
#include "proto/core/lease.hpp"
#include "proto/kinds.hpp"
#include "proto/subjects.hpp"
#include "services/gateway/core/credentials_form.hpp"
#include "services/gateway/core/objects.hpp"
#include "services/gateway/core/status_swap.hpp"
#include "services/gateway/shell/hook_call.hpp"

namespace kopiur::gateway {

namespace subjects = proto::subjects;
using proto::answer;
using proto::answer_code;

namespace {

answer said(refusal const& why) { return {.code = why.code, .message = why.message, .uid = {}, .resource_version = {}, .object = {}}; }
answer said(outcome<json::value> const& done) {
  if (!done) return said(done.error());
  return {.code = answer_code::Ok,
          .message = {},
          .uid = std::string(uid_of(*done)),
          .resource_version = std::string(version_of(*done)),
          .object = {}};
}
answer said(outcome<void> const& done) { return done ? answer{} : said(done.error()); }

std::optional<refusal> no_secret(json::value const& object) {
  if (object.text("kind") != proto::secret::info.kind) return std::nullopt;
  return refusal{answer_code::Forbidden,
                 "A Secret never travels on the bus: put its manifest into the manifest folder, or apply it with kubectl."};
}

// Whether the lease, read now, is held by the run, unexpired, with that fence.
awaitable<outcome<void>> prove_lease(ports ports, proto::lease_proof proof, std::string run) {
  auto fact = co_await ports.bus.last(std::string(subjects::states), subjects::lease(proof.key));
  if (!fact) co_return refuse(answer_code::Unavailable, "The lease " + proof.key + " cannot be read: " + fact.error().text);
  auto lease = *fact && !(*fact)->body.empty() ? json::read<proto::lease_state>((*fact)->body) : proto::lease_state{};
  if (!lease) co_return refuse(answer_code::Unavailable, "The lease " + proof.key + " cannot be understood: " + lease.error().text());
  bool held = std::ranges::any_of(lease->holders, [&](proto::lease_holder const& one) {
    return one.cluster == ports.name && one.run == run && one.fence == proof.fence && one.until > ports.time.now();
  });
  if (held) co_return outcome<void>();
  co_return refuse(answer_code::LeaseLost, "The run " + run + " no longer holds the lease " + proof.key + " with fence " +
                                               std::to_string(proof.fence) + ": nothing was started.");
}

// Which objects own Secrets that are minted.
std::optional<refusal> no_owner(proto::object_ref const& owner) {
  auto* kind = proto::own_kind(owner.kind);
  if (kind && kind->mints_secrets && !owner.uid.empty()) return std::nullopt;
  return refusal{answer_code::Forbidden, "An object of the kind " + owner.kind + " owns no Secret, or its uid is missing."};
}

// The Secret with the values that only the gateway knows.
outcome<minted_secret> filled(ports const& ports, proto::mint_secret command, json::value const& owner) {
  if (is_terminating(owner)) return refuse(answer_code::NotFound, command.owner.kind + " " + command.owner.name + " is being deleted.");
  minted_secret wanted{.owner = std::move(command.owner),
                       .owner_version = std::string(owner.text("apiVersion")),
                       .name = std::move(command.name),
                       .labels = std::move(command.labels),
                       .values = std::move(command.values),
                       .absent = std::move(command.absent)};
  for (auto const& [key, from] : command.configured) {
    auto value = ports.configured(from);
    if (!value)
      return refuse(answer_code::Unavailable, "The gateway's configuration of " + from.system + " has no " + from.field + " of " +
                                                  from.name + ": give the gateway the same configuration as the provisioner.");
    wanted.values[key] = std::move(*value);
  }
  return wanted;
}

bool is_missing(outcome<std::string> const& value) { return !value && value.error().code == answer_code::NotFound; }
std::optional<std::string> known(outcome<std::string> const& value) { return value ? std::optional(*value) : std::nullopt; }

// How the credentials of a Secret are used. Its values stay here.
awaitable<outcome<proto::credentials_form>> look_at(ports const& ports, proto::look_at_secret command) {
  auto credentials = co_await ports.cluster.secret(command.namespace_, command.name, std::string(credentials_key));
  if (!credentials && !is_missing(credentials)) co_return std::unexpected(credentials.error());
  outcome<std::string> settings;
  if (command.cloud == proto::credentials_cloud::Azure)
    settings = co_await ports.cluster.secret(command.namespace_, command.name, std::string(cloud_key));
  if (!settings && !is_missing(settings)) co_return std::unexpected(settings.error());
  auto form = form_of(command.cloud, known(credentials), known(settings));
  if (!form && !credentials) co_return std::unexpected(credentials.error());
  co_return form;
}

awaitable<answer> swap(ports const& ports, proto::swap_status command) {
  constexpr int tries = 5;
  for (int left = tries;;) {
    auto there = co_await ports.cluster.read(command.object);
    if (!there) co_return said(there.error());
    auto next = swapped(*there, command);
    if (!next.expected) {
      auto out = said(refusal{answer_code::Conflict, "The field is not as expected."});
      out.object = std::move(next.found);
      co_return out;
    }
    if (!next.status) co_return said(there);
    auto done = co_await ports.cluster.write_status(std::move(*there), std::move(*next.status));
    bool again = !done && (done.error().code == answer_code::Conflict || done.error().code == answer_code::Ambiguous);
    if (!again || --left == 0) co_return said(done);
  }
}

// One overload for each command.
struct performer {
  gateway::ports ports;

  awaitable<answer> operator()(proto::create_object command) {
    if (auto wrong = no_secret(command.object)) co_return said(*wrong);
    ports.cluster.marks().put_on_new(command.object);
    co_return said(co_await ports.cluster.create(std::move(command.object)));
  }
  awaitable<answer> operator()(proto::apply_object command) {
    if (auto wrong = no_secret(command.object)) co_return said(*wrong);
    co_return said(co_await ports.cluster.apply(std::move(command.object)));
  }
  awaitable<answer> operator()(proto::patch_metadata command) {
    ports.cluster.marks().put(command);
    co_return said(co_await ports.cluster.patch(std::move(command)));
  }
  awaitable<answer> operator()(proto::delete_object command) {
    ports.cluster.marks().put(command);
    co_return said(co_await ports.cluster.remove(std::move(command)));
  }
  awaitable<answer> operator()(proto::read_object command) {
    auto object = co_await ports.cluster.read(std::move(command.object));
    auto out = said(object);
    if (object) out.object = mirror_form(ports.cluster.marks().judged(std::move(*object)));
    co_return out;
  }
  awaitable<answer> operator()(proto::create_job command) {
    for (auto const& proof : command.leases)
      if (auto held = co_await prove_lease(ports, proof, command.run); !held) co_return said(held.error());
    auto uid = co_await ports.cluster.create_job(std::move(command));
    if (!uid) co_return said(uid.error());
    co_return answer{.code = answer_code::Ok, .message = {}, .uid = std::move(*uid), .resource_version = {}, .object = {}};
  }
  awaitable<answer> operator()(proto::capture_volumes command) {
    co_return said(co_await ports.cluster.capture_volumes(std::move(command)));
  }
  awaitable<answer> operator()(proto::delete_job command) { co_return said(co_await ports.cluster.delete_job(std::move(command))); }
  awaitable<answer> operator()(proto::delete_capture command) { co_return said(co_await ports.cluster.delete_capture(std::move(command))); }
  awaitable<answer> operator()(proto::call_http command) { co_return said(co_await call_hook(ports, std::move(command))); }
  awaitable<answer> operator()(proto::exec_in_pod command) { co_return said(co_await ports.cluster.exec(std::move(command))); }
  awaitable<answer> operator()(proto::run_user_job command) { co_return said(co_await ports.cluster.run_job(std::move(command))); }
  awaitable<answer> operator()(proto::mint_secret command) {
    if (auto wrong = no_owner(command.owner)) co_return said(*wrong);
    auto owner = co_await ports.cluster.read(command.owner);
    if (!owner) co_return said(owner.error());
    auto wanted = filled(ports, std::move(command), *owner);
    if (!wanted) co_return said(wanted.error());
    co_return said(co_await ports.cluster.mint(std::move(*wanted)));
  }
  awaitable<answer> operator()(proto::drop_secret command) {
    if (auto wrong = no_owner(command.owner)) co_return said(*wrong);
    co_return said(co_await ports.cluster.drop(std::move(command)));
  }
  awaitable<answer> operator()(proto::look_at_secret command) {
    auto form = co_await look_at(ports, std::move(command));
    if (!form) co_return said(form.error());
    co_return answer{.code = answer_code::Ok, .message = {}, .uid = {}, .resource_version = {}, .object = json::encode(*form)};
  }
  awaitable<answer> operator()(proto::swap_status command) { co_return co_await swap(ports, std::move(command)); }
  awaitable<answer> operator()(proto::record_event command) {
    auto const& ref = command.object;
    journal.info("object.event", {{"kind", ref.kind},
                                  {"namespace", ref.namespace_},
                                  {"name", ref.name},
                                  {"type", command.type},
                                  {"reason", command.reason},
                                  {"message", command.message}});
    co_return said(co_await ports.cluster.record_event(std::move(command)));
  }
};

}  // namespace

std::expected<proto::gateway_command, std::string> read_command(bus::stored const& message) {
  auto verb = std::string(subjects::part(message.subject, 5));
  auto body = json::parse(message.body);
  if (!body) return std::unexpected("The command is not JSON: " + body.error().text());
  if (!body->find(verb)) body = json::value(json::object{{verb, std::move(*body)}});
  auto read = json::decode<proto::gateway_command>(*body);
  if (!read) return std::unexpected("The command cannot be read: " + read.error().text());
  return std::move(*read);
}

awaitable<answer> perform(ports ports, proto::gateway_command command) {
  try {
    performer act{std::move(ports)};
    co_return co_await std::visit([&](auto& one) { return act(std::move(one)); }, command);
  } catch (std::exception const& failed) {
    if (app::is_cancelled(std::current_exception())) throw;
    co_return answer{.code = answer_code::Unavailable,
                     .message = std::string("The cluster failed: ") + failed.what(),
                     .uid = {},
                     .resource_version = {},
                     .object = {}};
  }
}

}  // namespace kopiur::gateway
