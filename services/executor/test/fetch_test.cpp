#include <sys/stat.h>
#include <unistd.h>

#include "common/encoding/base64.hpp"
#include "services/executor/test/program.hpp"

namespace kopiur::executor::test {
namespace {

/// Reads certificates from a stand-in of the API server, which has a certificate of 127.0.0.1.
class Fetch : public Program {
 protected:
  Fetch() {
    fs::create_directory(folder_ / "account");
    fs::create_directory(certificates());
    tls_ = make_tls(folder_ / "account/ca.crt");
    std::ofstream(folder_ / "account/token") << "t";
    std::ofstream(folder_ / "account/namespace") << "ours";
    pages_["/api/v1/namespaces/clusters-one/secrets/etcd-client-tls"] = R"({"kind":"Secret","data":{"etcd-client.crt":")" +
                                                                        encoding::base64("a certificate") + R"(","etcd-client.key":")" +
                                                                        encoding::base64("a key") + R"("}})";
    pages_["/api/v1/namespaces/clusters-one/configmaps/etcd-ca"] = R"({"kind":"ConfigMap","data":{"ca.crt":"an authority"}})";
  }
  fs::path certificates() const { return folder_ / "etcd-certs"; }
  printed fetch(std::string ns = "clusters-one") {
    auto answer = [this](http::asked what) -> asio::awaitable<http::page> {
      auto found = pages_.find(what.path);
      bool missing = found == pages_.end() || what.method != "GET";
      co_return http::page{.status = missing ? status_ : 200,
                           .body = missing ? R"({"kind":"Status","message":"the API server's words"})" : found->second,
                           .type = "application/json"};
    };
    return run({"fetch-etcd-certs", "--hcp-namespace", ns, "--output-dir", certificates().string(), "--service-account",
                (folder_ / "account").string()},
               {{"KUBERNETES_SERVICE_HOST", "127.0.0.1"}, {"KUBERNETES_SERVICE_PORT", "{port}"}}, {.answer = answer, .tls = tls_});
  }
  std::size_t written() const { return static_cast<std::size_t>(std::distance(fs::directory_iterator(certificates()), {})); }

  std::shared_ptr<asio::ssl::context> tls_;
  std::map<std::string, std::string> pages_;
  int status_ = 404;  // of other pages
};

TEST_F(Fetch, WritesFilesForTheGroupOfTheFolder) {
  if (::geteuid() == 0) EXPECT_EQ(::chown(certificates().c_str(), 0, 4711), 0);
  struct stat folder{};
  ::stat(certificates().c_str(), &folder);
  auto ended = fetch();
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(ended.termination_log, "old") << "it has no answer but the files";
  EXPECT_EQ(written(), 3U);
  for (auto& [name, content] :
       std::map<std::string, std::string>{{"etcd-client.crt", "a certificate"}, {"etcd-client.key", "a key"}, {"ca.crt", "an authority"}}) {
    EXPECT_EQ(read_all(certificates() / name), content);
    struct stat facts{};
    ::stat((certificates() / name).c_str(), &facts);
    EXPECT_EQ(facts.st_mode & 0777U, 0640U) << name;
    EXPECT_EQ(facts.st_gid, folder.st_gid) << name;
  }
}

TEST_F(Fetch, SaysWhatIsMissingAndWritesNothing) {
  auto ended = fetch("other");
  EXPECT_EQ(ended.status, 1);
  EXPECT_EQ(ended.termination_log,
            "Reading the certificates of etcd failed: the Secret etcd-client-tls of the namespace other does not exist. Check that this is "
            "the namespace of a hosted control plane.");
  pages_["/api/v1/namespaces/clusters-one/configmaps/etcd-ca"] = R"({"kind":"ConfigMap","data":{}})";
  ended = fetch();
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(ended.termination_log.contains("the ConfigMap etcd-ca of the namespace clusters-one has no valid ca.crt.")) << ended.err;
  status_ = 403;
  ended = fetch("other");
  EXPECT_TRUE(ended.termination_log.contains("may not be read. Allow it with a Role.")) << ended.err;
  EXPECT_TRUE(ended.termination_log.contains("the API server's words")) << ended.err;
  EXPECT_EQ(written(), 0U);
}

TEST_F(Fetch, IsForPods) {
  auto ended = run({"fetch-etcd-certs", "--hcp-namespace", "a", "--output-dir", certificates().string()});
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(ended.termination_log.starts_with("This is not a pod of a cluster")) << ended.err;
}

}  // namespace
}  // namespace kopiur::executor::test
