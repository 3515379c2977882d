#include <boost/asio.hpp>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "common/app/system_clock.hpp"
#include "common/files/modes.hpp"
#include "services/mover/shell/mover.hpp"

extern char** environ;

namespace {

kopiur::mover::environment own_environment() {
  kopiur::mover::environment all;
  for (char** each = environ; *each; ++each)
    if (auto* sign = std::strchr(*each, '=')) all.emplace(std::string(*each, sign), sign + 1);
  return all;
}

}  // namespace

int main(int count, char** arguments) {
  kopiur::mover::start start{.variables = own_environment()};
  bool check = count == 2 && std::string_view(arguments[1]) == "--check";
  for (int i = 1; i < count; ++i) {
    std::string_view each = arguments[i];
    if (each == "--result" && i + 1 < count)
      start.result_file = arguments[++i];
    else if (!each.starts_with("--") && start.work_file.empty())
      start.work_file = each;
    else
      start.work_file.clear(), i = count;
  }
  if (start.work_file.empty() && !check) {
    std::fputs(
        "usage: kopiur-mover WORK.json [--result FILE]\nDoes the work that the file describes; the result goes to FILE, else to "
        "/dev/termination-log.\n       kopiur-mover --check\nSays which kopia it would do it with, or why that cannot be.\n",
        stderr);
    return 2;
  }
  kopiur::files::create_private();
  boost::asio::io_context loop(1);
  kopiur::app::system_clock time(loop.get_executor());
  int status = 1;
  auto act = check ? kopiur::mover::check_kopia(time, start.variables) : kopiur::mover::run(time, start);
  boost::asio::co_spawn(loop, std::move(act), [&](std::exception_ptr failed, int ended) {
    status = ended;
    if (failed) try {
        std::rethrow_exception(failed);
      } catch (std::exception const& why) {
        status = 1;
        std::fprintf(stderr, "%s\n", why.what());
      }
    loop.stop();
  });
  loop.run();
  return status;
}
