#include "services/executor/shell/verify_snapshot.hpp"

#include <boost/asio.hpp>
#include <system_error>

#include "services/executor/shell/etcdutl.hpp"
#include "services/executor/shell/snapshot_file.hpp"
#include "services/executor/shell/snapshot_source.hpp"
#include "services/executor/shell/trusted.hpp"

namespace kopiur::executor {

namespace asio = boost::asio;

namespace {

constexpr std::size_t piece_size = 1 << 20;

std::unexpected<no_verdict> because(no_verdict::kind why, std::string message) {
  return std::unexpected(no_verdict{why, std::move(message)});
}

std::unexpected<no_verdict> because(blob::error const& why) {
  return because(why.kind == blob::failure::absent ? no_verdict::kind::absent : no_verdict::kind::failed, why.message);
}

/// The disk, or a file that is there already.
std::unexpected<no_verdict> because(std::system_error const& why, snapshot_check const& what) {
  if (why.code() == std::errc::file_exists)
    return because(no_verdict::kind::failed, "The file " + what.save_as + " exists already, and stays as it is. Give --save another name.");
  std::string advice =
      what.save_as.empty() ? " Set TMPDIR to a folder with enough space, or give --save." : " Choose another place for --save.";
  return because(no_verdict::kind::failed, std::string(why.what()) + "." + advice);
}

blob::awaitable_result<snapshot_digests> download(blob::object_content content, snapshot_file& file, download_progress told) {
  snapshot_hasher hasher;
  std::string piece(piece_size, 0);
  for (;;) {
    auto length = co_await content.read(asio::buffer(piece));
    if (!length) co_return std::unexpected(std::move(length.error()));
    if (*length == 0) break;
    auto bytes = std::string_view(piece).substr(0, *length);
    hasher.add(bytes);
    file.write(bytes);
    if (told) told(hasher.size(), content.length);
  }
  file.finish();
  co_return hasher.end();
}

app::awaitable<void> open_database(clock& time, snapshot_check const& what, environment variables, snapshot_file const& file,
                                   snapshot_verdict& into) {
  auto status = co_await ask_etcdutl(time, what.etcdutl, file.path(), std::move(variables));
  if (!status) {
    into.problem = std::move(status.error());
  } else if (static_cast<std::uint64_t>(status->size) > into.bytes.size) {
    into.problem = "The database has " + std::to_string(status->size) + " bytes, the object only " + std::to_string(into.bytes.size) +
                   ": it is cut off. Restore another snapshot, and take another backup.";
  } else {
    into.database = std::move(*status);
  }
}

app::awaitable<verify_result> verify(snapshot_source from, snapshot_place place, download_progress told) {
  snapshot_file file(from.what.save_as);
  auto shown = place.store == snapshot_place::kind::plain ? http::without_query(from.what.url) : from.what.url;
  auto content = co_await open_source(from, std::move(place));
  if (!content) co_return because(content.error());
  auto bytes = co_await download(std::move(*content), file, std::move(told));
  if (!bytes) co_return because(bytes.error());
  snapshot_verdict out{.url = std::move(shown), .bytes = std::move(*bytes)};
  out.problem = problem_of(out.bytes);
  if (out.problem.empty()) co_await open_database(from.time, from.what, std::move(from.variables), file, out);
  co_return out;
}

}  // namespace

app::awaitable<verify_result> verify_snapshot(clock& time, snapshot_check what, environment variables, download_progress told) {
  auto place = place_of(what);
  if (!place) co_return because(no_verdict::kind::wrong_call, std::move(place.error()));
  auto trusted = trusted_by(what.ca_file);
  if (!trusted) co_return because(no_verdict::kind::failed, std::move(trusted.error()));
  http::pool connections(time, co_await asio::this_coro::executor);
  snapshot_source from{time, blob::over(connections), what, std::move(variables), std::move(*trusted)};
  try {
    co_return co_await verify(std::move(from), std::move(*place), std::move(told));
  } catch (std::system_error const& why) {
    co_return because(why, what);
  }
}

}  // namespace kopiur::executor
