#include "services/mover/shell/tree.hpp"

#include <unistd.h>

#include <boost/asio.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/beast/http/parser.hpp>

#include "common/http/messages.hpp"

namespace kopiur::mover {

namespace {

namespace beast = boost::beast;
using asio::local::stream_protocol;
using boost::system::error_code;

class socket_stream final : public http::byte_stream {
 public:
  explicit socket_stream(stream_protocol::socket socket) : socket_(std::move(socket)) {}

  awaitable<std::size_t> read_some(asio::mutable_buffer buffer, error_code& failed) override {
    co_return co_await socket_.async_read_some(buffer, asio::redirect_error(asio::use_awaitable, failed));
  }
  awaitable<void> write(std::span<asio::const_buffer const> parts) override {
    std::vector<asio::const_buffer> all(parts.begin(), parts.end());
    co_await asio::async_write(socket_, all, asio::use_awaitable);
  }

 private:
  stream_protocol::socket socket_;
};

std::string named(tree_entry const& folder) { return folder.path.empty() ? "." : folder.path; }

class served_tree final : public tree_reader {
 public:
  explicit served_tree(stream_protocol::socket socket) : stream_(std::move(socket)) {}

  awaitable<void> folder(tree_entry folder_entry, std::function<void(tree_entry)> each) override {
    folder_splitter entries([&](std::string_view text) {
      auto entry = read_entry(text, folder_entry.path);
      if (!entry)
        throw failed_run(proto::kopia_failure::Unknown, "Folder " + named(folder_entry) + " of the snapshot has an entry without a name.");
      each(*std::move(entry));
    });
    co_await object(folder_entry.object, [&](std::string_view bytes) { entries.feed(bytes); });
    if (!entries.whole()) throw failed_run(proto::kopia_failure::Unknown, "kopia gave folder " + named(folder_entry) + " in pieces.");
  }

 private:
  awaitable<void> object(std::string id, std::function<void(std::string_view)> sink) {
    http::wire_request ask(beast::http::verb::get, "/api/v1/objects/" + id, 11);
    ask.set(beast::http::field::host, "kopia");
    co_await http::write(stream_, std::move(ask));
    beast::http::response_parser<beast::http::string_body> answer;
    answer.body_limit(boost::none);
    co_await http::read_header(stream_, buffer_, answer);
    auto left = answer.content_length().value_or(0);
    std::string refusal;
    bool good = answer.get().result() == beast::http::status::ok;
    while (left > 0) {
      if (buffer_.size() == 0) co_await more();
      auto some = std::min<std::uint64_t>(left, buffer_.size());
      std::string_view bytes(static_cast<char const*>(buffer_.data().data()), some);
      good ? sink(bytes) : void(refusal += bytes);
      buffer_.consume(some), left -= some;
    }
    if (!good) throw failed_run(failure(classify(refusal, activity::Reading), {}, last_line(refusal)));
  }

  awaitable<void> more() {
    constexpr std::size_t at_a_time = 64 << 10;
    error_code failed;
    buffer_.commit(co_await stream_.read_some(buffer_.prepare(at_a_time), failed));
    if (failed) throw boost::system::system_error(failed);
  }

  socket_stream stream_;
  beast::flat_buffer buffer_;
};

awaitable<void> connect_and_use(session& run, std::function<awaitable<void>(tree_reader&)> use) {
  stream_protocol::socket peer(co_await asio::this_coro::executor);
  co_await peer.async_connect(stream_protocol::endpoint(run.paths.socket()), asio::use_awaitable);
  served_tree tree(std::move(peer));
  try {
    co_await use(tree);
  } catch (boost::system::system_error const& lost) {
    if (app::is_cancelled(std::current_exception())) throw;
    throw failed_run(proto::kopia_failure::Unknown, std::string("kopia stopped serving the snapshot: ") + lost.what() + ".");
  }
}

}  // namespace

awaitable<void> with_tree(session& run, std::function<awaitable<void>(tree_reader&)> use) {
  ::unlink(run.paths.socket().c_str());  // left by a kopia that was killed
  auto ended = co_await run.program.serve(serve_command(run.paths), "SERVER ADDRESS", connect_and_use(run, std::move(use)));
  if (!ended) co_return;
  require_success(*ended, activity::Reading);
  throw failed_run(proto::kopia_failure::Unknown, "kopia did not serve the snapshot's folders.");
}

awaitable<part> find_part(tree_reader& from, manifest const& snapshot, std::optional<std::string> path) {
  part found{.entry = root_of(snapshot), .above = {}};
  auto left = path.value_or("");
  while (!left.empty()) {
    auto wanted = path_below(found.entry.path, left.substr(0, left.find('/')));
    left = left.contains('/') ? left.substr(left.find('/') + 1) : "";
    std::optional<tree_entry> next;
    if (found.entry.kind == entry_kind::Folder)
      co_await from.folder(found.entry, [&](tree_entry each) {
        if (each.path == wanted) next = std::move(each);
      });
    if (!next)
      throw failed_run(proto::kopia_failure::InvalidWork, "Snapshot " + snapshot.row.id + " has nothing at " + *path + " (options.path).");
    found.above.push_back(std::exchange(found.entry, *std::move(next)));
  }
  co_return found;
}

awaitable<void> walk(tree_reader& from, tree_entry top, tree_visitor see) {
  see.entry(top);
  std::vector<tree_entry> folders;
  if (top.kind == entry_kind::Folder) folders.push_back(std::move(top));
  while (!folders.empty()) {
    auto found = std::move(folders.back());
    folders.pop_back();
    std::set<std::string> names;
    co_await from.folder(found, [&](tree_entry each) {
      see.entry(each);
      if (see.folder_end) names.insert(each.path.substr(found.path.empty() ? 0 : found.path.size() + 1));
      if (each.kind == entry_kind::Folder) folders.push_back(std::move(each));
    });
    if (see.folder_end) see.folder_end(found.path, names);
  }
}

}  // namespace kopiur::mover
