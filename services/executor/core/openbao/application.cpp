#include "services/executor/core/openbao/application.hpp"

#include "common/json/value.hpp"

namespace kopiur::executor::openbao {

namespace {

/// While it applies a snapshot it is sealed, too.
constexpr duration sealed_for_good = std::chrono::seconds(60);

bool differ(std::string const& before, std::string const& now) { return !before.empty() && !now.empty() && before != now; }

}  // namespace

application_verdict judge(leadership const& before, look_after_answer const& seen, bool other_keys, std::string const& pod) {
  if (differ(before.container, seen.now.container))
    return {application::doubtful, "The container of " + pod + " was restarted before it had applied the snapshot."};
  bool active_again = before.active_since.empty() || differ(before.active_since, seen.now.active_since);
  if (seen.members.all == voters::state::healthy && active_again) return {application::applied, {}};
  if (seen.members.all != voters::state::sealed || seen.sealed_for < sealed_for_good) return {};
  if (other_keys) return {application::sealed, {}};
  return {application::doubtful, "OpenBao took the snapshot, which has the same unseal keys, and stays sealed: applying it has failed."};
}

std::string read_active_since(std::string_view body) {
  auto read = json::parse(body, {.bytes = 64 << 10, .depth = 16, .members = 1000});
  return read ? std::string(read->text("active_time")) : "";
}

}  // namespace kopiur::executor::openbao
