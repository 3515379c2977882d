#include "common/kubernetes/reflector.hpp"

#include "common/http/connection.hpp"
#include "common/kubernetes/api_json.hpp"

namespace kopiur::kubernetes {

using namespace std::chrono_literals;

awaitable<change> reflector::next() {
  while (ready_.empty()) {
    if (version_.empty())
      co_await list_page();
    else if (!watch_)
      co_await begin_watch();
    else
      co_await watch_on();
  }
  auto first = std::move(ready_.front());
  ready_.pop_front();
  co_return first;
}

void reflector::start_over() {
  watch_.reset();
  version_.clear(), page_token_.clear();
  if (std::exchange(told_any_, false)) ready_.push_back(started_over{});
}

/// Reports the failure and waits: half a second, doubled each time, half a minute at most.
awaitable<void> reflector::failed(error const& why) {
  options_.told(why);
  watch_.reset();
  if (why.expired) start_over();
  co_await time_.sleep_for(std::max(why.retry_after, std::min<duration>(30s, duration(500) * (1 << std::min(failures_++, 6)))));
}

/// A request for the collection; `form` is the kind of a metadata-only answer.
call reflector::collection(std::string_view form) const {
  call what{.path = path_of(options_.resource, options_.namespace_)};
  if (!options_.selector.empty()) what.query.emplace("labelSelector", options_.selector);
  if (options_.metadata_only) what.accept = "application/json;as=" + std::string(form) + ";g=meta.k8s.io;v=v1";
  return what;
}

/// Items of a list lack their kind, and metadata-only objects have the kind of metadata.
json::value reflector::named(json::value object) const {
  object.set("kind", options_.resource.kind), object.set("apiVersion", options_.resource.group_version);
  return object;
}

awaitable<void> reflector::list_page() {
  auto what = collection("PartialObjectMetadataList");
  what.query.emplace("limit", std::to_string(options_.page));
  if (!page_token_.empty()) what.query.emplace("continue", page_token_);
  auto page = co_await api_.ask(std::move(what));
  if (!page && page.error().too_large && options_.page > 1) {
    options_.page /= 2;
    co_return;
  }
  if (!page) co_return co_await failed(page.error());
  told_any_ = true;
  page_token_ = page->text("metadata.continue");
  auto version = std::string(page->text("metadata.resourceVersion"));
  for (auto& each : items_of(std::move(*page))) ready_.push_back(object_is{named(std::move(each))});
  if (!page_token_.empty()) co_return;
  version_ = std::move(version);
  ready_.push_back(all_told{});
}

awaitable<void> reflector::begin_watch() {
  auto what = collection("PartialObjectMetadata");
  what.query.insert({{"watch", "true"}, {"allowWatchBookmarks", "true"}, {"resourceVersion", version_}});
  auto begun = co_await api_.stream(std::move(what));
  if (!begun) co_return co_await failed(begun.error());
  watch_ = std::move(*begun);
}

awaitable<void> reflector::watch_on() {
  std::optional<std::string> line;
  auto read = [](connection& from, std::optional<std::string>& into) -> awaitable<void> { into = co_await from.line(); };
  std::string problem;
  try {
    co_await app::within(time_, options_.silence, read(*watch_, line), "nothing within " + to_text(options_.silence));
  } catch (std::exception const& broken) {
    if (app::is_cancelled(std::current_exception())) throw;
    problem = http::words_of(broken);
  }
  if (!problem.empty())
    co_return co_await failed({.message = "The watch of " + std::string(options_.resource.plural) + " broke off: " + problem + "."});
  if (!line) co_return watch_.reset();  // its time was up, which is normal
  if (auto why = take(*line)) co_return co_await failed(*why);
  failures_ = 0;
}

/// `{"type":"ADDED","object":{...}}`, or why it is not one. After a watch fails, a new list follows.
std::optional<error> reflector::take(std::string const& line) {
  auto event = read_api_json(line, {});
  auto type = event ? event->text("type") : std::string_view();
  auto* object = event ? event->find("object") : nullptr;
  if (type == "ERROR" || !object) {
    auto* code = object ? object->find("code") : nullptr;
    auto why = read_error(code && code->as_int() ? static_cast<int>(*code->as_int()) : 500, "", object ? json::dump(*object) : line,
                          "The watch of " + std::string(options_.resource.plural));
    why.expired = true;
    return why;
  }
  if (auto version = object->text("metadata.resourceVersion"); !version.empty()) version_ = version;
  if (type == "DELETED")
    ready_.push_back(object_gone{named(std::move(*object))});
  else if (type != "BOOKMARK")
    ready_.push_back(object_is{named(std::move(*object))});
  return {};
}

}  // namespace kopiur::kubernetes
