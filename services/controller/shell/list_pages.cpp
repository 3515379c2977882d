#include "services/controller/shell/list_pages.hpp"

#include <boost/asio.hpp>

#include "proto/codec.hpp"
#include "proto/subjects.hpp"

namespace kopiur::controller {

using namespace proto;

boost::asio::awaitable<bool> read_list(bus::port& bus, std::string cluster, snapshot_list head,
                                       std::function<void(std::vector<snapshot_row>)> take) {
  if (head.list.empty()) co_return false;
  std::int64_t rows = 0;
  for (std::int64_t page = 1; page <= head.pages; ++page) {
    auto found = co_await bus.last(std::string(subjects::lists), subjects::list_page(cluster, head.uid, head.half, page));
    if (!found || !*found) co_return false;
    auto read = json::read<list_page>((*found)->body);
    if (!read || read->list != head.pages_of) co_return false;
    rows += std::ssize(read->rows);
    take(std::move(read->rows));
  }
  co_return rows == head.snapshots;
}

}  // namespace kopiur::controller
