#include "services/provisioner/shell/service.hpp"

#include <boost/asio.hpp>

#include "common/hash/stable_hash.hpp"
#include "proto/codec.hpp"
#include "proto/streams.hpp"
#include "proto/subjects.hpp"
#include "services/controller/core/reference.hpp"
#include "services/controller/shell/gateway_call.hpp"
#include "services/provisioner/core/conditions.hpp"

namespace kopiur::provisioner {

using namespace std::chrono_literals;
namespace asio = boost::asio;
namespace subjects = proto::subjects;

namespace {

constexpr std::size_t workers = 32;
constexpr duration message_pause = 1min;  // between statuses that differ in messages only
constexpr duration rollout = 15min;       // for which the gateway's configuration may be older than ours
constexpr duration minted_again = 1h;

template <class... Functions>
struct overloaded : Functions... {
  using Functions::operator()...;
};

/// What facts about the object depend on.
template <class Object>
std::string basis_of(Object const& object) {
  auto status = json::encode(object.status);
  status.erase("conditions"), status.erase("observedGeneration");
  return json::write(object.metadata.labels) + object.metadata.uid + (object.metadata.deletion_timestamp ? " deleted " : " ") +
         json::write(object.spec) + json::dump(status);
}

/// All of a status but its messages.
std::string substance_of(proto::status_fragment fragment) {
  for (auto& each : fragment.conditions) each.message.clear();
  return json::write(fragment);
}

/// Its answer; one that has not come yet is an answer in doubt.
asio::awaitable<proto::answer> ask_gateway(controller::service_context context, proto::gateway_command what, std::string purpose) {
  auto said = co_await controller::call_gateway(std::move(context), std::move(what), std::move(purpose));
  if (said) co_return std::move(*said);
  co_return proto::answer{.code = proto::answer_code::Ambiguous, .message = "The gateway has not answered yet; it is asked again."};
}

call_failed lost(resource_call const& what) { return {"Another replica has taken over " + what.name + "; it is looked at again."}; }

std::vector<std::string> followed_kinds() {
  return controller::names_of<
      boost::mp11::mp_list<proto::buckety, proto::buckety_access, proto::secret, proto::repository, proto::cluster_repository>>();
}

}  // namespace

service::service(bus::port& bus, clock& time, asio::any_io_executor loop, options options)
    : service_base({bus, time, loop, options.cluster, "provisioner", options.shared}, {.kinds = followed_kinds()}),
      options_(std::move(options)),
      make_(options_.drivers(time, loop)),
      claims_(context_, options_.replica,
              [this](proto::object_ref object, resource_call what) { return owns(std::move(object), std::move(what)); }),
      queue_(time, loop, workers, [](work_key const& key) { return key.backend; }) {
  if (!options_.config) options_.config = std::make_shared<buckety::controller_config const>();
  on_object([this](proto::object_ref const& changed) { note_change(changed); });
}

/// Every replica looks at every object at the cadence, whichever of them the message of a change goes to.
void service::note_change(proto::object_ref const& changed) {
  bool resource = changed.kind == proto::buckety::info.kind;
  if (!resource && changed.kind != proto::buckety_access::info.kind) return;
  controller::name_key place{changed.namespace_, changed.name};
  if (resource) names_.note(place, controller::find(informer_.objects().of<proto::buckety>(), place.namespace_, place.name));
  if (controller::find_meta(informer_.objects(), changed.kind, place)) return queue_.add_after(key_of(changed), options_.cadence);
  minted_.erase(proto::key_of(changed)), told_.erase(proto::key_of(changed));
}

asio::awaitable<void> service::work() {
  co_await informer_.until_listed();
  started_ = time_.now();
  auto& all = informer_.objects();
  for (auto& [place, one] : all.of<proto::buckety>()) {
    names_.note(place, &one);
    queue_.add(key_of(controller::ref_of(one)));
  }
  for (auto& [_, one] : all.of<proto::buckety_access>()) queue_.add(key_of(controller::ref_of(one)));
  co_await app::first_of(follow(), queue_.run([this](work_key key) { return count_decision(look_at(std::move(key))); }));
}

asio::awaitable<void> service::follow() {
  auto worker = bus_.work(std::string(subjects::resources), proto::durable::provisioner_resources(context_.cluster), 64);
  for (;;) {
    auto next = co_await worker->next();
    co_await informer_.until(next.message.sequence);
    for (auto& each : concerned_by(informer_.objects(), controller::reference(next.message.subject))) queue_.add(key_of(each));
    worker->ack(next);
  }
}

service::work_key service::key_of(proto::object_ref const& object) const {
  auto& all = informer_.objects();
  auto backend_of = [&](std::string const& name) {
    auto* found = controller::find(all.of<proto::buckety>(), object.namespace_, name);
    return found ? found->spec.backend : std::string();
  };
  if (object.kind == proto::buckety::info.kind) return {proto::key_of(object), backend_of(object.name)};
  auto* access = controller::find(all.of<proto::buckety_access>(), object.namespace_, object.name);
  return {proto::key_of(object), access ? backend_of(access->spec.buckety_ref.name) : std::string()};
}

asio::awaitable<void> service::look_at(work_key key) {
  if (auto now = key_of({.kind = key.object.kind, .namespace_ = key.object.namespace_, .name = key.object.name}); now != key)
    co_return queue_.add(now);  // its backend is known now, or is another one: an object has one key
  std::string problem;
  try {
    co_await (key.object.kind == proto::buckety::info.kind ? look_at_resource(key) : look_at_access(key));
  } catch (std::exception const& failed) {
    if (app::is_cancelled(std::current_exception())) throw;
    problem = failed.what();
  }
  if (problem.empty()) co_return;
  log_.error("pass.failed", {{"object", key.object.text()}, {"problem", problem}});
  queue_.add_after(key, 15s);
}

asio::awaitable<void> service::look_at_resource(work_key key) {
  pass_state pass;
  for (;;) {
    auto& all = informer_.objects();
    auto* object = controller::find(all.of<proto::buckety>(), key.object.namespace_, key.object.name);
    if (!object) {
      if (pass.name) co_await claims_.give_back(*pass.name, pass.owner, false);
      co_return;
    }
    auto const now = *object;
    auto basis = basis_of(now);
    if (pass.basis.empty()) pass.basis = basis;
    if (pass.basis != basis) {  // what was learned is about something else
      if (pass.name) co_await claims_.give_back(*pass.name, pass.owner, false);
      co_return queue_.add(key);
    }
    pass.owner = controller::ref_of(now);
    auto what = next(view_of(all, now, settings(), names_), pass.known);
    auto* last = std::get_if<finished>(&what);
    if (!last) {
      co_await perform(what, now, pass);
      continue;
    }
    auto name = last->free_claim ? last->free_claim : pass.name;
    if (name) co_await claims_.give_back(*name, controller::ref_of(now), last->free_claim.has_value());
    co_return co_await end(key, now, std::move(*last));
  }
}

/// One call, whose result becomes a fact.
asio::awaitable<void> service::perform(step const& what, proto::buckety const& object, pass_state& pass) {
  auto const owner = controller::ref_of(object);
  auto& known = pass.known;
  auto act = overloaded{
      [&](read_claim const& one) -> task { known.recorded = co_await claims_.is_given(one, owner); },
      [&](take_claim const& one) -> task {
        pass.name = one, pass.held_since = time_.now();
        known.inspected.reset();  // what was seen before may have changed
        auto result = co_await claims_.take(one, owner);
        known.claimed = result.outcome, known.made_by_us = result.made;
        known.adopted_by_us = result.adopted, known.removed_by_us = result.removed;
      },
      [&](inspect const& one) -> task { known.inspected = co_await driver_of(*one.backend).inspect(one.name, one.content); },
      [&](compare const& one) -> task { known.compared = co_await driver_of(*one.backend).settle(one.name, one.parameters, false); },
      [&](create const& one) -> task {
        if (!co_await still_holds(pass, owner)) co_return void(known.created = lost(one));
        known.created = co_await driver_of(*one.backend).create(one.name, one.parameters);
        auto* made = std::get_if<buckety::create_result>(&*known.created);
        if (made && *made == buckety::create_result::Made && !co_await claims_.note_made(one, owner)) known.created = lost(one);
      },
      [&](align const& one) -> task {
        if (!co_await still_holds(pass, owner)) co_return void(known.aligned = lost(one));
        known.aligned = co_await driver_of(*one.backend).settle(one.name, one.parameters, true);
      },
      [&](remove_resource const& one) -> task {
        if (!co_await still_holds(pass, owner)) co_return void(known.removed = lost(one));
        known.removed = co_await driver_of(*one.backend).remove(one.name);
        auto* gone = std::get_if<removal>(&*known.removed);
        co_await (gone && *gone == removal::Done ? claims_.note_removed(one, owner) : claims_.note_removing(one, owner));
      },
      [&](record_adoption const& one) -> task {
        if (!co_await claims_.note_adopted(one, owner)) throw std::runtime_error(lost(one).message);
        known.adopted_by_us = true;
      },
      [&](read_live const&) -> task {
        known.live = co_await read_object(owner);
        co_await catch_up();
      },
      [](finished const&) -> task { co_return; }};
  co_await std::visit(act, what);
}

/// A call that changes something ends before the hold does: an older hold is renewed first.
asio::awaitable<bool> service::still_holds(pass_state& pass, proto::object_ref owner) {
  if (!pass.name || !options_.may_change()) co_return false;
  if (time_.now() - pass.held_since < claims::hold - 2 * bounded_driver::limit) co_return true;
  pass.held_since = time_.now();
  co_return co_await claims_.renew(*pass.name, owner);
}

/// Until all that the gateway has mirrored by now is known: an access that was made meanwhile holds up a deletion.
asio::awaitable<void> service::catch_up() {
  auto now = co_await bus_.info(std::string(subjects::resources));
  if (!now) throw std::runtime_error(now.error().text);
  co_await informer_.until(now->last_sequence);
}

driver& service::driver_of(buckety::backend const& backend) {
  auto& known = drivers_[backend.name];
  if (!known) known = std::make_unique<bounded_driver>(time_, backend.name, make_(backend));
  return *known;
}

/// In doubt it is so.
asio::awaitable<bool> service::owns(proto::object_ref object, resource_call what) {
  auto live = co_await read_object(std::move(object));
  if (auto* there = std::get_if<proto::buckety>(&live)) co_return may_have(*there, settings(), what.store, what.name);
  co_return std::holds_alternative<call_failed>(live);
}

asio::awaitable<std::variant<proto::buckety, object_gone, call_failed>> service::read_object(proto::object_ref object) {
  auto said = co_await ask_gateway(context_, proto::read_object{object}, object.uid + "-live");
  if (said.code == proto::answer_code::NotFound) co_return object_gone{};
  if (said.code != proto::answer_code::Ok) co_return call_failed{"The object cannot be read: " + said.message};
  auto read = said.object ? json::decode<proto::buckety>(*said.object) : std::unexpected(json::problem{});
  if (!read) co_return call_failed{"The object cannot be read: " + read.error().text()};
  co_return std::move(*read);
}

// ---- accesses

asio::awaitable<void> service::look_at_access(work_key key) {
  access_facts known;
  std::string basis;
  for (;;) {
    auto& all = informer_.objects();
    auto* object = controller::find(all.of<proto::buckety_access>(), key.object.namespace_, key.object.name);
    if (!object) co_return;
    auto const now = *object;
    auto view = view_of(all, now, settings());
    auto about = basis_of(now) + (view.owner ? basis_of(*view.owner) : "");
    if (basis.empty()) basis = about;
    if (basis != about) co_return queue_.add(key);  // the answers are about something else
    auto what = next(view, known);
    if (auto* one = std::get_if<mint>(&what)) {
      known.minted = co_await mint_secret(now, std::move(one->command));
    } else if (auto* gone = std::get_if<drop>(&what)) {
      minted_.erase(key.object);
      known.dropped = co_await ask_gateway(context_, std::move(gone->command), now.metadata.uid + "-drop");
    } else {
      co_return co_await end(key, now, std::get<finished>(std::move(what)));
    }
  }
}

/// Whether this replica minted it as it has to be, and nothing has changed since. The gateway has its own copy of the configuration, which
/// may be older than ours for a while after a restart: until then, and now and then, it is asked again.
bool service::is_minted(proto::buckety_access const& object, proto::mint_secret const& command, std::string const& wanted) const {
  auto known = minted_.find({std::string(proto::buckety_access::info.kind), object.metadata.namespace_, object.metadata.name});
  auto* there = controller::find(informer_.objects().of<controller::secret_metadata>(), object.metadata.namespace_, command.name);
  if (known == minted_.end() || !there) return false;
  auto& [uid, secret_uid, version, content, when] = known->second;
  auto valid = time_.now() - started_ < rollout ? options_.cadence / 2 : minted_again;
  return uid == object.metadata.uid && secret_uid == there->uid && version == there->resource_version && content == wanted &&
         time_.now() - when < valid;
}

asio::awaitable<proto::answer> service::mint_secret(proto::buckety_access object, proto::mint_secret command) {
  auto wanted = json::write(command);
  if (is_minted(object, command, wanted)) co_return proto::answer{};
  auto const key = proto::key_of(controller::ref_of(object));
  minted_.erase(key);
  auto said = co_await ask_gateway(context_, std::move(command), object.metadata.uid + "-mint");
  if (said.code == proto::answer_code::Ok)
    minted_[key] = {object.metadata.uid, said.uid, said.resource_version, std::move(wanted), time_.now()};
  co_return said;
}

// ---- the end of a pass

template <class Object>
asio::awaitable<void> service::end(work_key key, Object object, finished result) {
  auto const ref = controller::ref_of(object);
  for (auto& command : result.commands) {
    auto name = ref.uid + "-" + hash::digest_hex({json::write(command)}, 12);
    co_await send(std::move(command), std::move(name), 1min);
  }
  auto again = result.again.count() > 0 ? duration(result.again) : options_.cadence;
  if (result.status) {
    auto& last = told_[key.object];
    auto substance = hash::digest_hex({substance_of(*result.status)}, 32);
    if (last.substance == substance && time_.now() - last.when < message_pause) {
      again = std::min(again, message_pause);
    } else {
      last = {std::move(substance), time_.now()};
      co_await status_.report(ref, std::move(*result.status), informer_.source_of(ref));
    }
  }
  queue_.add_after(key, again);
}

}  // namespace kopiur::provisioner
