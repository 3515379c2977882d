#include "common/time/zone.hpp"

#include <date/tz.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace kopiur {

using namespace std::chrono;

/// The begins of eras, ascending, and their offsets; the first era has no beginning.
struct zone::table {
  std::string name;
  std::vector<sys_seconds> begins;
  std::vector<std::int32_t> offsets;  // seconds east of UTC
};

namespace {

constexpr sys_seconds before_all{seconds{-(std::int64_t{1} << 40)}};
constexpr sys_seconds after_all{seconds{std::int64_t{1} << 40}};
constexpr sys_seconds first_known{seconds{0}};
constexpr sys_seconds last_known = sys_days{year{2100} / 1 / 1};

/// Zone files are fat (every change up to 2037) or slim (with a rule for the future, which the library does not read). With a slim file
/// every summer would silently be an hour off. A future summer in New York shows which format it is.
bool knows_the_future() {
  auto* sample = date::locate_zone("America/New_York");
  return sample->get_info(sys_seconds{sys_days{year{2036} / 7 / 1}}).offset == hours{-4};
}

/// The database, opened once; a sentence when none exists.
std::expected<date::tzdb const*, std::string> database() {
  try {
    auto const& db = date::get_tzdb();
    if (!knows_the_future())
      return std::unexpected(
          "the time-zone database of this machine is in the slim format, which lacks future changes of the clocks: install tzdata in the "
          "fat "
          "format (zic -b fat), or use the time zone UTC");
    return &db;
  } catch (std::exception const& e) {
    return std::unexpected("there is no time-zone database on this machine (" + std::string(e.what()) +
                           "): install the package tzdata, or use the time zone UTC");
  }
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::string unknown_name(std::string_view name, date::tzdb const& db) {
  std::string text =
      "the time zone \"" + std::string(name.substr(0, 64)) + "\" is not known: give an IANA name such as Europe/Berlin or UTC";
  auto like = std::ranges::find_if(db.zones, [&](auto const& one) { return lower(one.name()) == lower(name); });
  return like == db.zones.end() ? text : text + " (did you mean " + like->name() + "?)";
}

date::time_zone const* locate(std::string_view name) {
  try {
    return date::locate_zone(name);
  } catch (std::exception const&) {  // the library's only way to report an unknown zone
    return nullptr;
  }
}

}  // namespace

std::expected<zone, std::string> zone::find(std::string_view name) {
  if (name == "UTC" || name == "Etc/UTC") return utc();
  static std::mutex guard;  // guards `known`; the tables are immutable
  static std::map<std::string, std::shared_ptr<table const>, std::less<>> known;
  std::lock_guard lock(guard);
  if (auto found = known.find(name); found != known.end()) return zone(found->second);
  auto db = database();
  if (!db) return std::unexpected(db.error());
  auto* source = locate(name);
  if (!source || source->name() != name) return std::unexpected(unknown_name(name, **db));

  auto made = std::make_shared<table>();
  made->name = name;
  for (auto seconds = first_known; seconds < last_known;) {
    auto info = source->get_info(seconds);
    auto offset = static_cast<std::int32_t>(info.offset.count());
    if (made->offsets.empty() || made->offsets.back() != offset) {
      made->begins.push_back(made->begins.empty() ? before_all : info.begin);
      made->offsets.push_back(offset);
    }
    seconds = info.end;
  }
  known.emplace(std::string(name), made);
  return zone(std::move(made));
}

zone zone::utc() {
  static auto const only = std::make_shared<table const>(table{"UTC", {before_all}, {0}});
  return zone(only);
}

std::string const& zone::name() const { return table_->name; }

zone::era zone::at(sys_seconds when) const {
  auto const& [name, begins, offsets] = *table_;
  auto after = std::ranges::upper_bound(begins, std::max(when, before_all));
  auto i = static_cast<std::size_t>(after - begins.begin()) - 1;
  return {begins[i], after == begins.end() ? after_all : *after, seconds{offsets[i]}, seconds{offsets[i ? i - 1 : 0]}};
}

local_seconds zone::local(instant when) const {
  auto second = floor<seconds>(when);
  return local_seconds{second.time_since_epoch() + at(second).offset};
}

}  // namespace kopiur
