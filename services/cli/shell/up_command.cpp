#include <unistd.h>

#include <boost/asio.hpp>
#include <cstdio>
#include <filesystem>

#include "common/log/log.hpp"
#include "services/cli/embedded/up.hpp"
#include "services/cli/shell/verbs.hpp"

namespace kopiur::cli {

std::string own_path() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).string();
}

namespace {

boost::asio::awaitable<int> run(boost::asio::io_context& loop, embedded::up_options how) {
  co_await embedded::up(loop, std::move(how));
  co_return done;
}

}  // namespace

int up_command(settings const& with) {
  auto how = embedded::find_programs(
      {.data = std::filesystem::absolute(with.data).lexically_normal().string(),
       .manifests = with.manifests.empty() ? "" : std::filesystem::absolute(with.manifests).lexically_normal().string(),
       .http = with.http,
       .restore_by_request = with.restore_by_request},
      own_path());
  if (!how) {
    std::fprintf(stderr, "kopiur: %s\n", how.error().c_str());
    return failed;
  }
  std::filesystem::create_directories(how->data);
  auto journal = how->data + "/kopiur.log";
  log::start({.least = with.verbose ? log::level::debug : log::level::info, .file = journal});
  std::printf("kopiur is starting: data in %s%s%s, journal in %s. Stop it with Ctrl-C.\n", how->data.c_str(),
              how->manifests.empty() ? "" : ", manifests from ", how->manifests.c_str(), journal.c_str());
  std::fflush(stdout);
  return drive([how = *how](boost::asio::io_context& loop) { return run(loop, how); }, done);
}

}  // namespace kopiur::cli
