#include <boost/asio.hpp>

#include "common/app/system_clock.hpp"
#include "services/cli/core/formatting.hpp"
#include "services/cli/shell/output.hpp"
#include "services/executor/shell/verify_snapshot.hpp"

/// etcd verify: on this host; kopiur need not run.
namespace kopiur::cli {

namespace asio = boost::asio;

namespace {

exit_code code_of(executor::no_verdict::kind why) {
  using kind = executor::no_verdict::kind;
  switch (why) {
    case kind::wrong_call:
      return usage;
    case kind::absent:
      return not_found;
    case kind::failed:
      break;
  }
  return failed;
}

json::value to_json(executor::snapshot_verdict const& found) {
  json::value out = json::object{
      {"url", found.url}, {"size", found.bytes.size}, {"sha256", found.bytes.sha256}, {"checksum", json::to_text(found.bytes.checksum)}};
  if (!found.database) return out;
  out.set("revision", found.database->revision);
  out.set("keys", found.database->keys);
  out.set("hash", found.database->hash);
  if (!found.database->version.empty()) out.set("version", found.database->version);
  return out;
}

table to_table(executor::snapshot_verdict const& found) {
  using executor::appended_checksum;
  auto& bytes = found.bytes;
  auto style = bytes.checksum == appended_checksum::right   ? tone::good
               : bytes.checksum == appended_checksum::wrong ? tone::bad
                                                            : tone::warn;
  table out{.columns = {"FIELD", "VALUE"}, .rows = {}};
  out.rows.push_back({"url", found.url});
  out.rows.push_back({"size", std::to_string(bytes.size) + " (" + size_text(static_cast<std::int64_t>(bytes.size)) + ")"});
  out.rows.push_back({"sha256", bytes.sha256});
  out.rows.push_back({"checksum", cell(executor::sentence_of(bytes.checksum), style)});
  if (!found.database) return out;
  out.rows.push_back({"revision", std::to_string(found.database->revision)});
  out.rows.push_back({"keys", std::to_string(found.database->keys)});
  out.rows.push_back({"hash", found.database->hash});
  if (!found.database->version.empty()) out.rows.push_back({"version", found.database->version});
  return out;
}

asio::awaitable<executor::verify_result> verify(asio::io_context& loop, executor::snapshot_check what) {
  app::system_clock time(loop.get_executor());
  progress_line line;
  auto told = [&](std::uint64_t have, std::uint64_t total) {
    auto text = [](std::uint64_t bytes) { return size_text(static_cast<std::int64_t>(bytes)); };
    line.show("downloading: " + text(have) + " of " + text(total), time.now());
  };
  co_return co_await executor::verify_snapshot(time, std::move(what), executor::own_environment(), told);
}

}  // namespace

int etcd_verify_command(settings const& settings, executor::snapshot_check const& what) {
  return drive([=](asio::io_context& loop) -> asio::awaitable<int> {
    auto found = co_await verify(loop, what);
    if (!found) throw complaint(code_of(found.error().why), found.error().message);
    print(settings, to_table(*found), to_json(*found), "");
    if (!found->problem.empty()) throw complaint(failed, found->problem);
    co_return done;
  });
}

}  // namespace kopiur::cli
