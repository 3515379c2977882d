#include "services/gateway/local/event_files.hpp"

#include <set>

#include "common/json/value.hpp"

namespace kopiur::gateway::local {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t events_kept = 20;
constexpr auto kept_after_object = 7 * 24h;

}  // namespace

fs::path event_files::path_of(object_key const& object) const {
  return folder_ / object.kind / (object.namespace_.empty() ? "-" : object.namespace_) / (object.name.substr(0, 200) + ".json");
}

void event_files::add(object_key const& object, proto::record_event const& event, instant now) const {
  auto path = path_of(object);
  files::make_folder(path.parent_path(), 0700);
  auto kept = json::parse(files::read_file(path).value_or("[]"));
  auto events = kept && kept->as_array() ? *kept->as_array() : json::array{};
  events.push_back(json::object{{"at", to_text(now)}, {"type", event.type}, {"reason", event.reason}, {"message", event.message}});
  if (events.size() > events_kept) events.erase(events.begin(), events.end() - events_kept);
  files::write_file(path, json::pretty(json::value(std::move(events))), 0600);
}

void event_files::sweep(object_map const& live) const {
  std::set<fs::path> needed;
  for (auto const& [key, _] : live) needed.insert(path_of(key));
  std::error_code unknown;
  std::vector<fs::path> old;
  for (auto const& entry : fs::recursive_directory_iterator(folder_, unknown))
    if (entry.is_regular_file(unknown) && !needed.contains(entry.path()) &&
        fs::file_time_type::clock::now() - entry.last_write_time(unknown) > kept_after_object)
      old.push_back(entry.path());
  for (auto const& each : old) fs::remove(each, unknown);
}

}  // namespace kopiur::gateway::local
