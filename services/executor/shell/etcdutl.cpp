#include "services/executor/shell/etcdutl.hpp"

#include <boost/asio.hpp>

#include "common/process/child.hpp"

namespace kopiur::executor {

namespace asio = boost::asio;

namespace {

using status_result = std::expected<snapshot_status, std::string>;

constexpr duration longest = std::chrono::minutes(10);
constexpr std::size_t most_kept = 64 << 10;

struct said {
  std::string out, err;
  process::ending end;
};

/// Both pipes at the same time: a full one would stop the program.
app::awaitable<void> listen(process::child& child, said& into) {
  auto keep_in = [](std::string& text) {
    return [&text](std::string_view bytes) { text += bytes.substr(0, most_kept - std::min(most_kept, text.size())); };
  };
  app::nursery readers(co_await asio::this_coro::executor);
  readers.spawn(process::drain(child.out(), keep_in(into.out)));
  readers.spawn(process::drain(child.err(), keep_in(into.err)));
  co_await readers.join();
  into.end = co_await child.wait();
}

std::string not_found(std::string const& name, bool chosen) {
  if (chosen) return "The database was not opened: there is no program " + name + ". Correct --etcdutl.";
  return "The database was not opened: etcdutl is not installed. It is in the releases and images of etcd; put it into PATH, or name it "
         "with --etcdutl.";
}

status_result judge(said const& what) {
  if (what.end.signal)
    return std::unexpected("The database was not checked: signal " + std::to_string(what.end.signal) + " ended etcdutl.");
  if (what.end.code != 0)
    return std::unexpected("etcdutl refuses the database: " + first_reason(what.err) +
                           ". Restore another snapshot, and take another backup.");
  return read_status(what.out);
}

}  // namespace

app::awaitable<status_result> ask_etcdutl(clock& time, std::string program, std::filesystem::path snapshot, environment variables) {
  bool chosen = !program.empty();
  auto name = chosen ? program : "etcdutl";
  auto search_path = variable(variables, "PATH");
  auto path = process::find_program(name, search_path);
  if (!path) co_return std::unexpected(not_found(name, chosen));
  process::command command{.arguments = {*path, "snapshot", "status", snapshot.string(), "--write-out", "json"}};
  if (!search_path.empty()) command.environment.push_back("PATH=" + search_path);
  try {
    process::child child(co_await asio::this_coro::executor, command);
    said heard;
    co_await app::within(time, longest, listen(child, heard), "etcdutl did not end within 10 minutes");
    co_return judge(heard);
  } catch (app::timed_out const& why) {
    co_return std::unexpected("The database was not checked: " + std::string(why.what()) + ".");
  } catch (process::not_started const& why) {
    co_return std::unexpected("The database was not opened: " + std::string(why.what()) + ".");
  }
}

}  // namespace kopiur::executor
