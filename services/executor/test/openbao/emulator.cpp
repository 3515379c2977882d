#include "services/executor/test/openbao/emulator.hpp"

#include "common/app/system_clock.hpp"
#include "common/blob/azure/block_blobs.hpp"
#include "common/blob/gcs/objects.hpp"
#include "common/encoding/base64.hpp"
#include "services/executor/test/etcd_snapshot.hpp"

namespace kopiur::executor::test {

namespace {

namespace azure = blob::azure;
namespace gcs = blob::gcs;

constexpr int until_it_listens = 12;  // attempts

/// The process, and what its store says beside the program.
class server : public emulator {
 protected:
  void start(std::vector<std::string> arguments) {
    std::vector<std::string> all{"/bin/sh", "-c", "exec \"$@\" > " + (folder_ / "log").string() + " 2>&1", "sh"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    child_.emplace(loop_.get_executor(), process::command{.arguments = std::move(all), .environment = {"PATH=/usr/bin:/bin"}});
  }
  std::string port() const { return std::to_string(port_); }
  fs::path folder() const { return folder_.path(); }

  static void run(std::function<asio::awaitable<void>(clock&, blob::transport)> use) {
    testing::run([&](asio::io_context& loop) -> asio::awaitable<void> {
      app::system_clock time(loop.get_executor());
      http::pool connections(time, loop.get_executor());
      co_await use(time, blob::over(connections));
    });
  }
  template <class T>
  void must(blob::result<T> const& done) const {
    if (!done) throw std::runtime_error(done.error().message + "\n" + read_all(folder_ / "log"));
  }
  asio::awaitable<std::string> text_of(blob::result<blob::object_content> content) const {
    must(content);
    std::string all, piece(1 << 20, 0);
    for (;;) {
      auto length = co_await content->read(asio::buffer(piece));
      must(length);
      if (*length == 0) co_return all;
      all.append(piece, 0, *length);
    }
  }

 private:
  testing::folder folder_;
  int port_ = testing::free_port();
  asio::io_context loop_;
  std::optional<process::child> child_;
};

class fake_gcs : public server {
 public:
  fake_gcs() {
    start({part("KOPIUR_FAKE_GCS"), "-scheme", "http", "-host", "127.0.0.1", "-port", port(), "-backend", "memory"});
    run([this](clock& time, blob::transport through) -> asio::awaitable<void> {
      gcs::requests raw(time, through, options());
      gcs::request create{.action = "Creating the bucket", .method = "POST", .target = "/storage/v1/b"};
      create.query = {{"project", "p"}}, create.body = R"({"name":"box"})";
      must(co_await raw.read(std::move(create)));
    });
  }
  std::vector<access> ways() const override {
    return {{.variables = {{"BACKUP_PROVIDER", "gcs"}, {"BACKUP_ENDPOINT", options().endpoint}, {"BACKUP_BUCKET", "box"}}, .secret = {}}};
  }
  std::string get(std::string key) override {
    std::string text;
    run([&](clock& time, blob::transport through) -> asio::awaitable<void> {
      gcs::objects objects(time, through, options());
      text = co_await text_of(co_await objects.get("box", {key}));
    });
    return text;
  }

 private:
  gcs::options options() const { return {.endpoint = "http://127.0.0.1:" + port(), .attempts = until_it_listens}; }
};

class azurite : public server {
 public:
  azurite() {
    start({part("KOPIUR_AZURITE"), "--blobHost", "127.0.0.1", "--blobPort", port(), "--location", folder() / "store",
           "--skipApiVersionCheck"});
    run([this](clock& time, blob::transport through) -> asio::awaitable<void> {
      azure::requests raw(time, through, options());
      azure::request create{.action = "Creating the container", .container = "box"};
      create.query = {{"restype", "container"}};
      must(co_await raw.send(std::move(create)));
    });
  }
  std::vector<access> ways() const override {
    std::map<std::string, std::string> by_key{{"BACKUP_PROVIDER", "azure"},
                                              {"BACKUP_ENDPOINT", "http://127.0.0.1:" + port()},
                                              {"BACKUP_AZURE_STORAGE_ACCOUNT", account},
                                              {"BACKUP_BUCKET", "box"}};
    std::map<std::string, std::string> by_string{
        {"BACKUP_PROVIDER", "azure"}, {"BACKUP_BUCKET", "none"}, {"BACKUP_AZURE_CONTAINER", "box"}};
    auto connection = "BlobEndpoint=" + options().endpoint + ";AccountName=" + account + ";AccountKey=" + account_key + ";";
    return {{.variables = by_key, .secret = {{"accountKey", account_key}}},
            {.variables = by_string, .secret = {{"connectionString", connection}}}};
  }
  std::string get(std::string key) override {
    std::string text;
    run([&](clock& time, blob::transport through) -> asio::awaitable<void> {
      azure::block_blobs blobs(time, through, options());
      text = co_await text_of(co_await blobs.get("box", key));
    });
    return text;
  }

 private:
  /// The account and the key that Azurite always has.
  static constexpr auto account = "devstoreaccount1";
  static constexpr auto account_key = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

  azure::options options() const {
    azure::options out{.endpoint = "http://127.0.0.1:" + port() + "/" + account, .account = account};
    out.key = encoding::from_base64(account_key).value(), out.attempts = until_it_listens;
    return out;
  }
};

}  // namespace

std::unique_ptr<emulator> start_fake_gcs() { return std::make_unique<fake_gcs>(); }
std::unique_ptr<emulator> start_azurite() { return std::make_unique<azurite>(); }

}  // namespace kopiur::executor::test
