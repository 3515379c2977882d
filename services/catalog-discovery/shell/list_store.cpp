#include "services/catalog-discovery/shell/list_store.hpp"

#include <algorithm>
#include <boost/asio.hpp>
#include <stdexcept>

#include "proto/codec.hpp"
#include "proto/envelope.hpp"
#include "proto/subjects.hpp"
#include "services/controller/shell/list_pages.hpp"

namespace kopiur::catalog_discovery {

using namespace proto;
namespace asio = boost::asio;

namespace {
/// For readers, an empty page is a deleted one; the server removes it after this time.
constexpr std::chrono::seconds emptied_for{60};
}  // namespace

list_store::list_store(controller::service_context const& context, log::logger log)
    : context_(context),
      heads_(context, subjects::states, {"kopiur.v1.repository." + subjects::token(context.cluster) + ".>"}, std::move(log)) {}

snapshot_list list_store::head(std::string const& uid) const {
  auto* found = heads_.find(subjects::repository(context_.cluster, uid));
  return found ? found->value : snapshot_list{.uid = uid};
}

asio::awaitable<void> list_store::publish(bus::publication message) {
  auto subject = message.subject;
  auto stored = co_await context_.bus.publish(std::move(message));
  if (!stored) throw std::runtime_error(subject + ": " + stored.error().text);
}

asio::awaitable<void> list_store::write_pages(snapshot_list const& head, listed_rows const& what) {
  std::size_t begin = 0;
  for (std::size_t n = 0; n < what.page_ends.size(); ++n) {
    auto first = what.rows.begin() + static_cast<std::ptrdiff_t>(begin);
    auto last = what.rows.begin() + static_cast<std::ptrdiff_t>(what.page_ends[n]);
    auto subject = subjects::list_page(context_.cluster, head.uid, head.half, static_cast<std::int64_t>(n + 1));
    auto id = head.pages_of + "-" + std::to_string(n + 1);
    bus::publication page{.subject = std::move(subject),
                          .body = json::write(list_page{head.pages_of, {first, last}}),
                          .head = envelope("repository.list-page.v1", context_.service, id, context_.time.now())};
    co_await publish(std::move(page));
    begin = what.page_ends[n];
  }
}

asio::awaitable<void> list_store::empty(std::string uid, int half, std::int64_t first, std::int64_t last) {
  for (auto page = first; page <= last; ++page)
    co_await publish({.subject = subjects::list_page(context_.cluster, uid, half, page), .body = "", .ttl = emptied_for});
}

asio::awaitable<bool> list_store::write(snapshot_list head) {
  auto subject = subjects::repository(context_.cluster, head.uid);
  auto* last = heads_.find(subject);
  bus::publication message{.subject = subject,
                           .body = json::write(head),
                           .head = envelope("repository.listed.v1", context_.service, head.list, context_.time.now()),
                           .expected = last ? last->sequence : 0};
  auto stored = co_await context_.bus.publish(std::move(message));
  if (!stored && stored.error().kind == bus::failure::wrong_sequence) co_return false;
  if (!stored) throw std::runtime_error(subject + ": " + stored.error().text);
  co_await heads_.view().until(stored->sequence);
  co_return true;
}

asio::awaitable<void> list_store::keep(snapshot_list next, listed_rows const& what) {
  auto before = head(next.uid);
  bool same = !before.pages_of.empty() && before.content == next.content &&
              co_await controller::read_list(context_.bus, context_.cluster, before, [](auto) {});
  auto left = std::int64_t{0};
  if (!same) {
    next.half = 1 - before.half, next.other_pages = before.pages, next.pages_of = next.list;
    next.pages = std::ssize(what.page_ends);
    left = before.other_pages;
    co_await write_pages(next, what);
  }
  if (co_await write(next)) co_await empty(next.uid, next.half, next.pages + 1, left);
}

asio::awaitable<std::optional<std::vector<snapshot_row>>> list_store::rows(std::string uid) {
  std::vector<snapshot_row> all;
  auto take = [&](std::vector<snapshot_row> page) { std::ranges::move(page, std::back_inserter(all)); };
  if (!co_await controller::read_list(context_.bus, context_.cluster, head(uid), take)) co_return std::nullopt;
  co_return all;
}

asio::awaitable<void> list_store::forget(std::set<std::string> const& uids_there) {
  std::vector<snapshot_list> gone;
  for (auto& [_, each] : heads_.all())
    if (!uids_there.contains(each.value.uid) && !each.value.list.empty()) gone.push_back(each.value);
  for (auto& each : gone) {
    co_await empty(each.uid, each.half, 1, each.pages);
    co_await empty(each.uid, 1 - each.half, 1, each.other_pages);
    each.list.clear(), each.pages_of.clear(), each.pages = each.other_pages = 0;
    co_await write(std::move(each));
  }
}

}  // namespace kopiur::catalog_discovery
