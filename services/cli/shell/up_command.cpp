#include <unistd.h>

#include <boost/asio.hpp>
#include <cstdio>
#include <filesystem>

#include "common/encoding/quantity.hpp"
#include "common/files/modes.hpp"
#include "common/log/log.hpp"
#include "services/cli/embedded/up.hpp"
#include "services/cli/shell/verbs.hpp"
#include "services/gateway/local/object_store.hpp"

namespace kopiur::cli {

std::string own_path() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).string();
}

namespace {

boost::asio::awaitable<int> run(boost::asio::io_context& loop, embedded::up_options options) {
  co_await embedded::up(loop, std::move(options));
  co_return done;
}

}  // namespace

int up_command(settings const& settings) {
  auto options = embedded::find_programs(
      {.data = std::filesystem::absolute(settings.data).lexically_normal().string(),
       .manifests = settings.manifests.empty() ? "" : std::filesystem::absolute(settings.manifests).lexically_normal().string(),
       .configuration = settings.configuration,
       .http = settings.http,
       .restore_by_request = settings.restore_by_request,
       .bus_store = static_cast<std::int64_t>(encoding::bytes_of(settings.bus_store))},
      own_path());
  if (!options) {
    std::fprintf(stderr, "kopiur: %s\n", options.error().c_str());
    return failed;
  }
  files::create_private();
  gateway::local::make_data_folder(options->data);
  auto journal = options->data + "/kopiur.log";
  log::start({.least = settings.verbose ? log::level::debug : log::level::info, .file = journal});
  std::printf("kopiur is starting: data in %s%s%s, journal in %s. Stop it with Ctrl-C.\n", options->data.c_str(),
              options->manifests.empty() ? "" : ", manifests from ", options->manifests.c_str(), journal.c_str());
  std::fflush(stdout);
  return drive([options = *options](boost::asio::io_context& loop) { return run(loop, options); }, done);
}

}  // namespace kopiur::cli
