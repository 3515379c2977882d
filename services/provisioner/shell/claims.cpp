#include "services/provisioner/shell/claims.hpp"

#include <stdexcept>

#include "common/hash/stable_hash.hpp"
#include "proto/codec.hpp"
#include "proto/envelope.hpp"
#include "proto/subjects.hpp"

namespace kopiur::provisioner {

namespace asio = boost::asio;
namespace subjects = proto::subjects;

namespace {

constexpr int tries = 5;
constexpr auto no_owner_kept = std::chrono::hours(1), removed_kept = std::chrono::hours(30 * 24);

std::string subject_of(resource_call const& what) { return subjects::claim(hash::digest_hex({what.store, what.name}, 32)); }

}  // namespace

asio::awaitable<claims::known> claims::read(resource_call const& what) {
  auto subject = subject_of(what);
  auto last = co_await context_.bus.last(std::string(subjects::states), subject);
  if (!last) throw std::runtime_error(subject + ": " + last.error().text);
  if (!*last) co_return known{};
  known found{.state = {}, .sequence = (*last)->sequence};
  if ((*last)->body.empty()) co_return found;
  auto state = json::read<proto::resource_claim>((*last)->body);
  if (!state) throw std::runtime_error(subject + " cannot be read: " + state.error().text());
  found.state = std::move(*state);
  co_return found;
}

/// False: another replica was faster. A claim replaces its history: when it expires, no earlier one may count again.
asio::awaitable<bool> claims::write(resource_call const& what, proto::resource_claim next, std::uint64_t expected) {
  auto subject = subject_of(what);
  bool free = next.owner.uid.empty();
  bus::publication message{
      .subject = subject,
      .body = free ? std::string() : json::write(next),
      .head = proto::envelope("claim.v1", context_.service, subject + "." + std::to_string(expected), context_.time.now()),
      .expected = expected,
      .rollup = true};
  if (free) message.ttl = no_owner_kept;
  if (next.removed) message.ttl = removed_kept;
  auto stored = co_await context_.bus.publish(std::move(message));
  if (stored) co_return true;
  if (stored.error().kind != bus::failure::wrong_sequence) throw std::runtime_error(subject + ": " + stored.error().text);
  co_return false;
}

asio::awaitable<std::optional<std::string>> claims::other_owner(resource_call const& what, proto::resource_claim const& state,
                                                                proto::object_ref const& owner) {
  bool ours = state.cluster == context_.cluster;
  if (state.owner.uid.empty() || (ours && state.owner.uid == owner.uid)) co_return std::nullopt;
  auto name = state.owner.namespace_ + "/" + state.owner.name + (ours ? "" : " of the cluster " + state.cluster);
  if (!ours || co_await owns_(state.owner, what)) co_return name;
  co_return std::nullopt;
}

asio::awaitable<bool> claims::is_given(resource_call what, proto::object_ref owner) {
  auto found = co_await read(what);
  bool ours = found.state.cluster == context_.cluster && found.state.owner.uid == owner.uid;
  if (!ours) co_return false;
  co_return found.state.made || found.state.adopted;
}

asio::awaitable<claims::taken_claim> claims::take(resource_call what, proto::object_ref owner) {
  for (int left = tries; left > 0; --left) {
    auto found = co_await read(what);
    auto const& state = found.state;
    if (auto other = co_await other_owner(what, state, owner)) co_return taken_claim{taken{std::move(*other)}};
    auto now = context_.time.now();
    bool same = state.owner.uid == owner.uid, held = !state.holder.empty() && state.until > now;
    if ((held && (state.holder != replica_ || !same)) || (!same && state.unsettled > now)) co_return taken_claim{claim::Busy};
    proto::resource_claim next{.store = what.store,
                               .name = what.name,
                               .cluster = context_.cluster,
                               .owner = owner,
                               .made = same && state.made,
                               .adopted = same && state.adopted,
                               .removed = same && state.removed,
                               .holder = replica_,
                               .until = now + hold,
                               .unsettled = same ? state.unsettled : instant{}};
    bool made = next.made, adopted = next.adopted, removed = next.removed;
    if (co_await write(what, std::move(next), found.sequence)) co_return taken_claim{claim::Held, made, adopted, removed};
  }
  co_return taken_claim{claim::Busy};
}

asio::awaitable<bool> claims::change(resource_call what, proto::object_ref owner, std::function<void(proto::resource_claim&)> edit) {
  auto found = co_await read(what);
  if (found.state.holder != replica_ || found.state.owner.uid != owner.uid) co_return false;
  edit(found.state);
  co_return co_await write(what, found.state, found.sequence);
}

asio::awaitable<bool> claims::renew(resource_call what, proto::object_ref owner) {
  auto until = context_.time.now() + hold;
  return change(std::move(what), std::move(owner), [until](proto::resource_claim& state) { state.until = until; });
}
asio::awaitable<bool> claims::note_made(resource_call what, proto::object_ref owner) {
  return change(std::move(what), std::move(owner), [](proto::resource_claim& state) { state.made = true; });
}
asio::awaitable<bool> claims::note_adopted(resource_call what, proto::object_ref owner) {
  return change(std::move(what), std::move(owner), [](proto::resource_claim& state) { state.adopted = true; });
}
asio::awaitable<bool> claims::note_removed(resource_call what, proto::object_ref owner) {
  auto late = context_.time.now() + may_come_late;
  return change(std::move(what), std::move(owner),
                [late](proto::resource_claim& state) { state.made = false, state.removed = true, state.unsettled = late; });
}
asio::awaitable<bool> claims::note_removing(resource_call what, proto::object_ref owner) {
  auto late = context_.time.now() + may_come_late;
  return change(std::move(what), std::move(owner), [late](proto::resource_claim& state) { state.unsettled = late; });
}

asio::awaitable<void> claims::give_back(resource_call what, proto::object_ref owner, bool free) {
  co_await change(std::move(what), std::move(owner), [free](proto::resource_claim& state) {
    if (free) state = {};
    state.holder.clear(), state.until = {};
  });
}

}  // namespace kopiur::provisioner
