#include "common/kubernetes/leader.hpp"

#include <unistd.h>

#include <array>
#include <random>

#include "common/app/async.hpp"
#include "common/encoding/hex.hpp"

namespace kopiur::kubernetes {

using namespace std::chrono_literals;
using json::object;
using json::value;

namespace {

/// The API accepts these instants with exactly six fractional digits.
std::string micro_time(instant time) {
  auto second = std::chrono::floor<std::chrono::seconds>(time);
  auto micros = std::to_string(std::chrono::duration_cast<std::chrono::microseconds>(time - second).count());
  auto text = to_text(instant(second));
  return text.substr(0, text.size() - 1) + "." + std::string(6 - micros.size(), '0') + micros + "Z";
}

}  // namespace

std::string own_identity() {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  auto random = std::random_device{}();
  return std::string(host.data()) + "_" + std::to_string(::getpid()) + "_" +
         encoding::hex({reinterpret_cast<char*>(&random), sizeof random});
}

value leader::held_by(std::string const& who, value const* before) const {
  auto now = micro_time(time_.now());
  auto* count = before ? before->at("spec.leaseTransitions") : nullptr;
  auto transitions = count && count->as_int() ? *count->as_int() : 0;
  bool same = before && before->text("spec.holderIdentity") == who;
  value spec = object{{"holderIdentity", who},
                      {"leaseDurationSeconds", std::chrono::duration_cast<std::chrono::seconds>(limits_.life).count()},
                      {"acquireTime", same ? std::string(before->text("spec.acquireTime")) : now},
                      {"renewTime", now},
                      {"leaseTransitions", transitions + (before && !same ? 1 : 0)}};
  value metadata = object{{"name", key_.name}, {"namespace", key_.namespace_}};
  if (before) metadata.set("resourceVersion", version_of(*before)), metadata.set("uid", uid_of(*before));
  return object{{"apiVersion", leases.group_version}, {"kind", key_.kind}, {"metadata", std::move(metadata)}, {"spec", std::move(spec)}};
}

void leader::require(error const& why) const {
  if (is_permanent(why)) throw std::runtime_error("The " + key_.text() + " is needed and cannot be acquired: " + why.message);
}

awaitable<result<value>> leader::read() { return api_.ask({.path = path_of(leases, key_)}); }

/// Writes this process over the Lease that was read; false when another was faster, or the server did not answer.
awaitable<bool> leader::take(value const* there) {
  auto asked = time_.steady();
  auto done = co_await api_.ask({.method = there ? "PUT" : "POST",
                                 .path = there ? path_of(leases, key_) : path_of(leases, key_.namespace_),
                                 .body = held_by(identity_, there),
                                 .at_once = true});  // a thousand other calls at a time must not cost the lease
  if (!done) require(done.error());
  if (!done) co_return false;
  lease_ = std::move(*done), renewed_ = asked;
  co_return true;
}

awaitable<void> leader::acquire() {
  value seen;
  for (duration unchanged{0};;) {
    auto there = co_await read();
    if (!there) require(there.error());
    bool absent = !there && there.error().code == failure::not_found;
    if (absent && co_await take(nullptr)) co_return;
    if (there) {
      bool same = !seen.is_null() && version_of(seen) == version_of(*there);
      unchanged = same ? unchanged + limits_.looked : duration(0);
      seen = *there;
      auto* life = there->at("spec.leaseDurationSeconds");
      bool expired = unchanged > (life && life->as_int() ? duration(1'000 * *life->as_int()) : limits_.life);
      bool free = there->text("spec.holderIdentity").empty() || is_ours(*there);
      if ((free || expired) && co_await take(&*there)) co_return;
    }
    co_await time_.sleep_for(limits_.looked);
  }
}

awaitable<void> leader::renew() {
  while (!co_await take(&lease_)) {
    auto there = co_await read();
    if (there && !is_ours(*there))
      throw std::runtime_error("The " + key_.text() + " was taken over by " + std::string(there->text("spec.holderIdentity")) + ".");
    if (there) lease_ = std::move(*there);
    co_await time_.sleep_for(limits_.looked);
  }
}

awaitable<void> leader::keep() {
  for (;;) {
    co_await time_.sleep_for(limits_.renewed);
    co_await app::within(time_, limits_.given_up, renew(),
                         "The " + key_.text() + " could not be renewed within " + to_text(limits_.given_up) + ".");
  }
}

awaitable<void> leader::release() {
  if (lease_.is_null()) co_return;
  auto given = [](leader& self) -> awaitable<void> {
    (void)co_await self.api_.ask({.method = "PUT", .path = path_of(leases, self.key_), .body = self.held_by("", &self.lease_)});
  };
  try {
    co_await app::within(time_, 2s, given(*this), "not given back in time");
  } catch (app::timed_out const&) {
  }
}

}  // namespace kopiur::kubernetes
