#include "services/gateway/local/folder_watch.hpp"

#include <sys/inotify.h>

#include <array>
#include <boost/asio.hpp>

#include "common/app/async.hpp"

namespace kopiur::gateway::local {

using namespace std::chrono_literals;

folder_watch::folder_watch(asio::any_io_executor const& loop, clock& time) : time_(time), events_(loop) {
  if (int number = ::inotify_init1(IN_CLOEXEC | IN_NONBLOCK); number >= 0) events_.assign(number);
}

void folder_watch::watch(std::vector<fs::path> const& folders) {
  if (!events_.is_open()) return;
  for (auto const& folder : folders)  // a folder that cannot be watched is checked by timeout
    ::inotify_add_watch(events_.native_handle(), folder.c_str(),
                        IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_ATTRIB);
}

awaitable<void> folder_watch::event() {
  std::array<char, 4096> buffer;
  co_await events_.async_read_some(asio::buffer(buffer), asio::use_awaitable);
}

awaitable<void> folder_watch::changed(duration at_most) {
  if (!events_.is_open()) co_return co_await time_.sleep_for(at_most);
  co_await app::first_of(event(), time_.sleep_for(at_most));
  co_await time_.sleep_for(100ms);
}

}  // namespace kopiur::gateway::local
