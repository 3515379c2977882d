#include "services/provisioner/core/decision.hpp"

#include <algorithm>

#include "common/encoding/join.hpp"
#include "proto/codec.hpp"
#include "services/controller/core/condition.hpp"
#include "services/controller/core/metadata.hpp"
#include "services/provisioner/core/conditions.hpp"
#include "services/systems/buckety/rules/parameters.hpp"

namespace kopiur::provisioner {

using namespace std::chrono_literals;
using buckety::backend_standing;

namespace {

constexpr auto soon = 2000ms;

/// Which of the conditions that are stated only while they hold holds now.
struct trouble {
  backend_standing standing = backend_standing::Usable;
  bool drift = false;
  std::string message{};
  std::vector<std::string> blocking{}, repositories{};
};

class pass {
 public:
  pass(buckety_view const& view, facts const& known) : view_(view), known_(known), object_(view.object), status_(view.object.status) {}
  step next();

 private:
  step live();
  step provide();
  std::optional<step> claimed_name();
  step stamp();
  std::optional<step> refused();
  std::optional<step> adopt();
  std::optional<step> find_origin();
  std::optional<std::string> other_owner() const;
  std::optional<step> existing();
  std::optional<step> aligned();
  step settle_access();
  step deletion();
  finished blocked() const;
  step delete_resource();
  step prove_deletion();
  std::optional<step> find_unstamped();
  finished released(std::optional<std::string> why = {}) const;

  std::string store() const { return judged_.driver ? judged_.driver->store(judged_.chosen->config) : std::string(); }
  resource_call call() const { return {.backend = judged_.chosen, .store = store(), .name = name_, .parameters = parameters_}; }
  finished end(ready_state state, trouble also = {}) const;
  finished fail(std::string reason, std::string message) const {
    auto out = end({.reason = std::move(reason), .message = std::move(message)});
    out.again = after_a_failure;
    return out;
  }
  finished wait(std::string reason, std::string message) const {
    auto out = end({.reason = std::move(reason), .message = std::move(message), .working = true});
    out.again = soon;
    return out;
  }
  finished without_backend(std::string message) const;
  finished patch_finalizer(bool add) const { return finalizer_patch(controller::ref_of(object_), add); }
  finished remove_implicit(std::string reason) const;
  json::value stamps() const;
  bool is_deleting() const { return object_.metadata.deletion_timestamp.has_value(); }

  buckety_view const& view_;
  facts const& known_;
  proto::buckety const& object_;
  proto::buckety_status const& status_;
  buckety::backend_judgement judged_;
  buckety::parameters parameters_;
  std::string name_;
  std::optional<proto::resource_provenance> origin_;
  bool made_again_ = false;
};

json::value pass::stamps() const {
  proto::buckety_status now = status_;
  now.observed_generation.reset(), now.conditions.clear();
  if (origin_ && judged_.chosen) {
    now.provenance = origin_, now.backend_resource_name = name_;
    now.backend = judged_.chosen->name, now.driver = judged_.chosen->driver;
    if (!now.driver_major) now.driver_major = judged_.driver->version.major_number;
    now.connection = buckety::plain_values(*judged_.driver, judged_.chosen->config, name_);
    now.backend_store = store();
    now.driver_build_version = buckety::version_text(judged_.driver->version);
  }
  auto encoded = json::encode(now);
  encoded.erase("conditions");
  auto* connection = encoded.find("connection");
  for (auto& [key, _] : status_.connection)
    if (connection && !now.connection.contains(key)) connection->set(key, json::value());  // else the merged status keeps it
  return encoded;
}

finished pass::end(ready_state state, trouble also) const {
  auto generation = object_.metadata.generation;
  bool in_effect = state.ready && !is_deleting();
  std::vector<exceptional> more{
      {"BackendUnavailable", std::string(json::to_text(also.standing)), also.message,
       also.standing != backend_standing::Usable && also.standing != backend_standing::DriverMajorBump},
      {"DriverVersionIncompatible", "DriverMajorBump", also.message, also.standing == backend_standing::DriverMajorBump},
      {"ParameterDrift", "Unreconcilable", also.message, also.drift},
      {"BlockedByAccesses", "Pending", "Waits for: " + encoding::join(also.blocking, ", ") + ".", !also.blocking.empty()},
      {"BlockedByRepositories", "Pending", "Waits for: " + encoding::join(also.repositories, ", ") + ".", !also.repositories.empty()}};
  for (auto& each : more)
    if (!each.holds) each.reason = "Resolved", each.message.clear();
  finished out{.status = fragment_of(object_, stamps(), state, in_effect ? generation : status_.observed_generation.value_or(0), more)};
  if (auto event = event_of(object_, state, !state.ready && !state.working)) out.commands.push_back(std::move(*event));
  if (made_again_)
    out.commands.push_back(proto::record_event{.object = controller::ref_of(object_),
                                               .type = "Warning",
                                               .reason = "ResourceMadeAgain",
                                               .message = name_ + " was missing on its backend. It was made again, empty."});
  return out;
}

finished pass::without_backend(std::string message) const {
  bool major = judged_.standing == backend_standing::DriverMajorBump;
  return end({.reason = major ? "DriverVersionIncompatible" : "BackendUnavailable", .message = std::move(message)},
             {.standing = judged_.standing, .message = judged_.message});
}

/// The access of defaultAccess goes; the pass after that goes on.
finished pass::remove_implicit(std::string reason) const {
  auto out = wait(std::move(reason), "The access of defaultAccess is being removed.");
  if (!view_.implicit_access->metadata.deletion_timestamp)
    out.commands.push_back(proto::delete_object{.object = controller::ref_of(*view_.implicit_access), .annotations = {}});
  return out;
}

step pass::next() {
  judged_ = judge(object_, view_.settings);
  origin_ = status_.provenance, name_ = status_.backend_resource_name.value_or("");
  auto what = is_deleting() ? deletion() : live();
  auto* end_of_pass = std::get_if<finished>(&what);
  auto* held = known_.claimed ? std::get_if<claim>(&*known_.claimed) : nullptr;
  if (end_of_pass && held && *held == claim::Held && !origin_ && !known_.made_by_us && !known_.adopted_by_us)
    end_of_pass->free_claim = call();  // it got no resource
  return what;
}

// ---- while it exists

step pass::live() {
  if (!controller::has_finalizer(object_.metadata, proto::finalizer::buckety_cleanup)) return patch_finalizer(true);
  if (judged_.standing != backend_standing::Usable) return without_backend(judged_.message + " Reconcile paused.");
  auto sources = buckety::sources_of(object_, *judged_.chosen);
  if (name_.empty()) {
    auto resolved = buckety::resolved(object_.spec.name.value_or(""), sources);
    if (!resolved) return fail("NameTemplate", "spec.name: " + resolved.error());
    if (auto wrong = judged_.driver->validate_name(*resolved)) return fail("NameInvalid", "spec.name: " + *wrong);
    name_ = *resolved;
  }
  auto parameters = buckety::effective(*judged_.driver, *judged_.chosen, object_.spec.parameters, sources);
  if (!parameters) return fail("ParameterTemplate", buckety::text_of(parameters.error()));
  if (auto wrong = judged_.driver->validate_parameters(judged_.chosen->config, *parameters); !wrong.empty())
    return fail("InvalidParameters", buckety::text_of(wrong));
  parameters_ = std::move(*parameters);
  return provide();
}

step pass::provide() {
  if (auto owner = other_owner())
    return fail("BackendResourceExists",
                name_ + " on " + judged_.chosen->name + " belongs to the Buckety " + *owner + ": choose another spec.name.");
  if (!origin_) return stamp();
  for (auto part : {&pass::existing, &pass::aligned})
    if (auto what = (this->*part)()) return *std::move(what);
  return settle_access();
}

std::optional<std::string> pass::other_owner() const {
  return view_.names.owner(store(), name_, {object_.metadata.namespace_, object_.metadata.name});
}

/// Nothing once this replica holds the name.
std::optional<step> pass::claimed_name() {
  if (!known_.claimed) return take_claim{call()};
  if (auto* other = std::get_if<taken>(&*known_.claimed))
    return fail("BackendResourceExists",
                name_ + " on " + judged_.chosen->name + " is being made for the Buckety " + other->by + ": choose another spec.name.");
  if (std::get<claim>(*known_.claimed) == claim::Busy)
    return wait("Provisioning", "Another replica works on it, or what had the name was removed just now.");
  return {};
}

/// The first time: which resource it gets, and who made it. The pass ends with that stamp: nothing else is done before it is written.
step pass::stamp() {
  if (auto what = find_origin()) return *std::move(what);
  auto out = wait("Provisioning", name_ + " is on " + judged_.chosen->name + "; its settings and its access follow.");
  if (origin_ == proto::resource_provenance::Adopted)
    out.commands.push_back(proto::record_event{
        .object = controller::ref_of(object_), .reason = "Adopted", .message = name_ + " existed; it is used, and never deleted."});
  return out;
}

/// Refused by what exists: said without a claim, or objects that are refused the same name would take it from each other without end.
std::optional<step> pass::refused() {
  if (known_.claimed) return {};
  if (!known_.inspected) return inspect{call(), true};
  auto* found = std::get_if<buckety::inspection>(&*known_.inspected);
  if (!found) return fail("InspectFailed", std::get<call_failed>(*known_.inspected).message);
  auto first = buckety::first_step_for(*found, object_.spec.adoption, name_);
  if (first) return {};
  if (!known_.recorded) return read_claim{call()};
  if (*known_.recorded) return {};
  return fail("BackendResourceExists", first.error());
}

/// Nothing once it is known who made the resource.
std::optional<step> pass::find_origin() {
  if (auto what = refused()) return what;
  if (auto what = claimed_name()) return what;
  if (!known_.inspected) return inspect{call(), true};
  if (auto* failed = std::get_if<call_failed>(&*known_.inspected)) return fail("InspectFailed", failed->message);
  auto& found = std::get<buckety::inspection>(*known_.inspected);
  if (known_.made_by_us && found.exists) {
    origin_ = proto::resource_provenance::Created;
    return {};
  }
  if (known_.adopted_by_us && found.exists) return adopt();
  auto first = buckety::first_step_for(found, object_.spec.adoption, name_);
  if (!first) return fail("BackendResourceExists", first.error());
  if (*first == buckety::first_step::Adopt) return adopt();
  if (!known_.created) return create{call()};
  if (auto* failed = std::get_if<call_failed>(&*known_.created)) return fail("EnsureFailed", failed->message);
  origin_ = buckety::provenance_after(*first, std::get<buckety::create_result>(*known_.created));
  if (!origin_) return wait("Provisioning", name_ + " was made by somebody else at the same moment; it is looked at again.");
  return {};
}

/// Recorded first: a replica that has not seen the stamp yet neither refuses the resource nor frees its name.
std::optional<step> pass::adopt() {
  if (!known_.adopted_by_us) return record_adoption{call()};
  origin_ = proto::resource_provenance::Adopted;
  return {};
}

/// Later: it still exists, or is made again.
std::optional<step> pass::existing() {
  if (!known_.inspected) return inspect{call(), false};
  if (auto* failed = std::get_if<call_failed>(&*known_.inspected)) return fail("InspectFailed", failed->message);
  if (std::get<buckety::inspection>(*known_.inspected).exists) return {};
  if (auto what = claimed_name()) return what;
  if (!known_.created) return create{call()};
  if (auto* failed = std::get_if<call_failed>(&*known_.created)) return fail("EnsureFailed", failed->message);
  made_again_ = std::get<buckety::create_result>(*known_.created) == buckety::create_result::Made;
  if (made_again_) return {};
  origin_ = proto::resource_provenance::Adopted;  // somebody else made it in between: it is never deleted
  return wait("Provisioning", name_ + " was missing, and somebody else has made it again; it is looked at again.");
}

/// Its settings are as wanted.
std::optional<step> pass::aligned() {
  if (!known_.compared) return compare{call()};
  auto const* result = &*known_.compared;
  if (auto* same = std::get_if<alignment>(result); same && *same == alignment::Different) {
    if (auto what = claimed_name()) return what;
    if (!known_.aligned) return align{call()};
    result = &*known_.aligned;
  }
  if (auto* drift = std::get_if<drifted>(result))
    return end({.reason = "ParameterDrift", .message = drift->message}, {.drift = true, .message = drift->message});
  if (auto* failed = std::get_if<call_failed>(result)) return fail("EnsureFailed", failed->message);
  return {};
}

/// The access of a single consumer: a real BucketyAccess, until the first one of a user.
proto::buckety_access implicit_access(proto::buckety const& object) {
  proto::buckety_access access{.api_version = std::string(proto::buckety_access::info.api_version),
                               .kind = std::string(proto::buckety_access::info.kind)};
  auto const& meta = object.metadata;
  access.metadata = {.name = meta.name, .namespace_ = meta.namespace_, .labels = {{std::string(proto::label::buckety_implicit), "true"}}};
  access.metadata.owner_references = {{.api_version = std::string(proto::buckety::info.api_version),
                                       .kind = std::string(proto::buckety::info.kind),
                                       .name = meta.name,
                                       .uid = meta.uid,
                                       .controller = true,
                                       .block_owner_deletion = true}};
  access.spec = {.buckety_ref = {meta.name},
                 .credentials_secret_name = object.spec.default_access->credentials_secret_name,
                 .role = object.spec.default_access->role};
  return access;
}

step pass::settle_access() {
  auto const& wanted = object_.spec.default_access;
  auto* there = view_.implicit_access;
  bool other_terms =
      there && wanted && (there->spec.credentials_secret_name != wanted->credentials_secret_name || there->spec.role != wanted->role);
  bool gives_way = !view_.explicit_accesses.empty() && !view_.implicit_used;
  if (there && (!wanted || gives_way || other_terms)) return remove_implicit("Provisioning");
  ready_state good{
      .ready = true, .reason = "EnsuredOnBackend", .message = name_ + " is on " + judged_.chosen->name + ".", .event = "Provisioned"};
  if (!wanted || gives_way) return end(std::move(good));
  if (!there && view_.implicit_name_taken)
    return fail("SecretConflict", "The BucketyAccess " + object_.metadata.name + " is another's: rename it, or remove defaultAccess.");
  if (!there) {
    auto out = wait("Provisioning", "The access of defaultAccess is being made.");
    out.commands.push_back(proto::create_object{json::encode(implicit_access(object_))});
    return out;
  }
  auto* said = controller::find_condition(there->status.conditions, "Ready");
  bool old = said && said->status == proto::condition_status::True && there->status.observed_generation != there->metadata.generation;
  bool knows_us = said && said->reason != "BucketyNotFound" && said->reason != "WaitingForBuckety";
  if (old || !knows_us) return wait("Provisioning", "The Secret of defaultAccess is being made.");
  if (said->status == proto::condition_status::True) return end(std::move(good));
  return end({.reason = said->reason, .message = "The access of defaultAccess: " + said->message});
}

// ---- deletion

/// Its users are never deleted with it.
finished pass::blocked() const {
  trouble also{.repositories = view_.repositories};
  for (auto* each : view_.explicit_accesses) also.blocking.push_back(each->metadata.name);
  std::vector<std::string> sentences;
  if (!also.blocking.empty()) sentences.push_back("These accesses use it; delete them first: " + encoding::join(also.blocking, ", ") + ".");
  if (!also.repositories.empty())
    sentences.push_back("These repositories have their backups in it; delete them first: " + encoding::join(also.repositories, ", ") + ".");
  return end({.reason = "DeletionBlocked", .message = encoding::join(sentences, " ")}, std::move(also));
}

step pass::deletion() {
  if (!controller::has_finalizer(object_.metadata, proto::finalizer::buckety_cleanup)) return finished{};
  if (!view_.complete) return wait("Listing", "The gateway is listing the cluster; until then its users are not known.");
  if (!view_.explicit_accesses.empty() || !view_.repositories.empty()) return blocked();
  return view_.implicit_access ? remove_implicit("RevokingAccesses") : delete_resource();
}

/// Whether a live read shows the same object, being deleted, with the same stamps.
bool confirms(proto::buckety const& live, proto::buckety const& known) {
  return live.metadata.uid == known.metadata.uid && live.metadata.deletion_timestamp &&
         live.spec.retention_policy == known.spec.retention_policy && live.status.provenance == known.status.provenance &&
         live.status.backend_resource_name == known.status.backend_resource_name && live.status.backend == known.status.backend;
}

/// The finalizer goes. `why`: a reason why the resource stays although the policy is Delete.
finished pass::released(std::optional<std::string> why) const {
  auto out = patch_finalizer(false);
  if (why)
    out.commands.insert(
        out.commands.begin(),
        proto::record_event{.object = controller::ref_of(object_), .reason = "RetainedOnDelete", .message = name_ + " stays: " + *why});
  return out;
}

/// An object that goes before its stamp was written: what its own call made is in the claim alone.
std::optional<step> pass::find_unstamped() {
  if (object_.spec.retention_policy == proto::resource_retention::Retain || judged_.standing != backend_standing::Usable) return released();
  auto resolved = buckety::resolved(object_.spec.name.value_or(""), sources_of(object_, *judged_.chosen));
  if (!resolved || judged_.driver->validate_name(*resolved)) return released();
  name_ = *resolved;
  bool of_another = other_owner() || (known_.claimed && std::holds_alternative<taken>(*known_.claimed));
  if (of_another) return released();  // its claim may have been lost with the bus: it is not taken from the object that has the name
  if (auto what = claimed_name()) return what;
  if (!known_.made_by_us) return released();
  origin_ = proto::resource_provenance::Created;
  return {};
}

step pass::delete_resource() {
  if (name_.empty())
    if (auto what = find_unstamped()) return *std::move(what);
  if (known_.removed_by_us) return released();
  auto* live = known_.live ? std::get_if<proto::buckety>(&*known_.live) : nullptr;
  auto* held = known_.claimed ? std::get_if<claim>(&*known_.claimed) : nullptr;
  buckety::deletion_evidence evidence{.confirmed = live && confirms(*live, object_), .lease_held = held && *held == claim::Held};
  switch (buckety::deletion_step_for({.policy = object_.spec.retention_policy, .origin = origin_, .resource_name = name_}, evidence)) {
    case buckety::deletion_step::Release:
      return released();
    case buckety::deletion_step::ReleaseAdopted:
      return released("it was not made for this object.");
    case buckety::deletion_step::Prove:
      return prove_deletion();
    case buckety::deletion_step::Delete:
      break;
  }
  if (!known_.removed) return remove_resource{call()};
  if (auto* failed = std::get_if<call_failed>(&*known_.removed)) return fail("DeleteFailed", failed->message);
  if (std::get<removal>(*known_.removed) == removal::Emptying) return wait("DeletingContents", name_ + " is being emptied.");
  return released();
}

step pass::prove_deletion() {
  if (judged_.standing != backend_standing::Usable) return without_backend("deletion blocked: " + judged_.message);
  if (auto owner = other_owner()) return released("it belongs to the Buckety " + *owner + ".");
  if (auto* other = known_.claimed ? std::get_if<taken>(&*known_.claimed) : nullptr)
    return released("it belongs to the Buckety " + other->by + ".");
  if (auto what = claimed_name()) return *std::move(what);
  if (!known_.live) return read_live{};
  if (std::holds_alternative<object_gone>(*known_.live)) return finished{};
  if (auto* failed = std::get_if<call_failed>(&*known_.live)) return fail("DeleteFailed", failed->message);
  auto changed = wait("DeletingContents", "The object has changed; it is looked at again.");
  changed.again = after_a_failure;
  return changed;
}

}  // namespace

finished finalizer_patch(proto::object_ref object, bool add) {
  std::vector<std::string> one{std::string(proto::finalizer::buckety_cleanup)}, none;
  return {.status = {},
          .commands = {proto::patch_metadata{
              .object = std::move(object), .add_finalizers = add ? one : none, .remove_finalizers = add ? none : one}},
          .again = after_a_failure};
}

step next(buckety_view const& view, facts const& known) { return pass(view, known).next(); }

}  // namespace kopiur::provisioner
