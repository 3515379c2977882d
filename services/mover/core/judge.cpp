#include "services/mover/core/judge.hpp"

#include <algorithm>
#include <array>

#include "services/mover/core/policy.hpp"
#include "services/mover/core/sum.hpp"

namespace kopiur::mover {

namespace {

using enum proto::kopia_failure;

std::string text_of(proto::identity const& who, std::optional<std::string> const& run) {
  return source_text(who) + (run ? " by run " + *run : "");
}

std::string unread(manifest const& what) {
  auto text = std::to_string(what.failed) + (what.failed == 1 ? " entry" : " entries") + " could not be read";
  return text + (what.first_error.empty() ? "." : ", the first: " + what.first_error + ".");
}

verdict judge_saved(manifest const& what, creation const& creation) {
  if (what.failed == 0) return saved{what};
  return partial{what, failure(SourceUnreadable, unread(what), last_line(creation.stderr_text))};
}

proto::run_failure why_nothing(creation const& creation) {
  if (creation.printed && !creation.printed->complete() && creation.printed->incomplete != "canceled")
    return failure(Unknown, "kopia stopped early (" + creation.printed->incomplete + ").", last_line(creation.stderr_text));
  if (creation.printed && creation.printed->incomplete == "canceled")
    return failure(Cancelled, "kopia was stopped from outside.", last_line(creation.stderr_text));
  auto what = creation.exited_well ? Unknown : classify(creation.stderr_text, activity::Snapshotting);
  return failure(what, creation.printed ? "kopia printed a snapshot but did not save it." : "kopia made no snapshot.",
                 last_line(creation.stderr_text));
}

// Calls `f` for each recorded run of each maintenance task.
template <class F>
void each_task(json::value const& info, F f) {
  auto* runs = info.at("schedule.runs");
  if (!runs || !runs->as_object()) return;
  for (auto const& [task, list] : *runs->as_object()) {
    if (!list.as_array()) continue;
    for (auto const& one : *list.as_array()) f(one);
  }
}

}  // namespace

std::optional<proto::run_failure> other_repository(std::optional<std::string> const& pinned, std::string const& opened) {
  if (!pinned || *pinned == opened) return std::nullopt;
  return failure(WrongRepository, "The repository here has the id " + opened + ", but " + *pinned + " was recorded.");
}

bool is_out_of_reach(creation const& creation) {
  if (creation.exited_well || creation.printed) return false;
  auto what = classify(creation.stderr_text, activity::Snapshotting);
  return what == Unreachable || what == AccessDenied || what == BackendMisconfigured || what == ClockSkew;
}

std::optional<manifest> done_before(std::vector<manifest> const& listed) {
  std::optional<manifest> newest;
  for (auto const& each : listed)
    if (each.complete() && (!newest || each.row.end_time > newest->row.end_time)) newest = each;
  return newest;
}

verdict judge(creation const& creation) {
  if (creation.told_to_stop) return failure(Cancelled, {}, last_line(creation.stderr_text));
  if (auto found = done_before(creation.listed)) return judge_saved(*found, creation);
  if (creation.exited_well && !creation.printed && creation.may_be_identical) return unchanged{};
  return why_nothing(creation);
}

doomed_verdict judge(std::vector<proto::doomed_snapshot> const& asked, std::map<std::string, proto::snapshot_row> const& present) {
  std::set<std::string> meant, others;
  std::string why;
  for (auto const& each : asked) {
    auto found = present.find(each.id);
    if (found == present.end()) continue;
    auto const& there = found->second;
    if (there.source == each.source && (!each.run || there.run == each.run)) {
      meant.insert(each.id);
    } else if (others.insert(each.id).second && why.empty()) {
      why = "Snapshot " + each.id + " is of " + text_of(there.source, there.run) + ", and not of " + text_of(each.source, each.run) +
            ": it is left alone.";
    }
  }
  for (auto const& id : meant) others.erase(id);
  return {{meant.begin(), meant.end()}, {others.begin(), others.end()}, std::move(why)};
}

std::vector<std::string> left_over(std::vector<manifest> const& listed, std::vector<std::string> const& keep) {
  std::vector<std::string> ids;
  for (auto const& each : listed)
    if (each.complete() && std::ranges::find(keep, each.row.id) == keep.end()) ids.push_back(each.row.id);
  return ids;
}

std::string default_owner(std::string const& unique_ID) { return "kopiur@" + unique_ID; }

ownership owner_verdict(std::string const& now, proto::maintain_work const& task, std::string const& unique_ID) {
  if (now == task.owner) return ownership::Ours;
  if (now.empty() || now == default_owner(unique_ID) || task.takeover == proto::takeover_policy::Force) return ownership::Claim;
  return ownership::Foreign;
}

std::string owner_in(json::value const& info) { return std::string(info.text("owner")); }

std::int64_t reclaimed_bytes(json::value const& before, json::value const& after) {
  instant newest{};
  each_task(before, [&](json::value const& task) { newest = std::max(newest, instant_from(task.text("start")).value_or(instant{})); });
  std::int64_t bytes = 0;
  each_task(after, [&](json::value const& task) {
    auto* extra = task.find("extra");
    if (!extra || !extra->as_array() || instant_from(task.text("start")).value_or(instant{}) <= newest) return;
    for (auto const& one : *extra->as_array())
      for (auto* field : {"data.deletedTotalSize", "data.deletedBlobSize"})  // packs and indexes; obsolete logs
        if (auto* size = one.at(field); size && size->as_int()) bytes = sum_of(bytes, *size->as_int());
  });
  return bytes;
}

bool maintenance_finished(std::string_view stderr_text, bool full) {
  return stderr_text.find(full ? "Finished full maintenance." : "Finished quick maintenance.") != std::string_view::npos;
}

std::optional<std::string> version_in(std::string_view text) {
  auto begin = text.find_first_of("0123456789");
  auto version =
      begin == std::string_view::npos ? std::string_view() : text.substr(begin, text.find_first_not_of("0123456789.", begin) - begin);
  if (std::ranges::count(version, '.') != 2) return std::nullopt;
  return std::string(version);
}

bool is_tested(std::string_view version) {
  constexpr std::array versions = {std::string_view("0.23.1")};
  return std::ranges::find(versions, version) != versions.end();
}

}  // namespace kopiur::mover
