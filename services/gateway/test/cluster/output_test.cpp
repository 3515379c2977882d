#include <boost/asio/ssl/context.hpp>

#include "common/http/listen.hpp"
#include "common/http/serve_clients.hpp"
#include "services/gateway/admission/webhook.hpp"
#include "services/gateway/test/cluster/jobs_stage.hpp"

namespace kopiur::gateway::kubernetes {
namespace {

/// A kubelet that knows only the logs of containers: the same one for each.
class fake_kubelet {
 public:
  fake_kubelet(asio::io_context& loop, std::string log) : door_(http::listen(loop.get_executor(), "127.0.0.1:0")), log_(std::move(log)) {}
  int port() const { return door_.local_endpoint().port(); }
  awaitable<void> serve() {
    auto tls = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_server);
    tls->use_certificate_chain_file(api_folder() / "server.crt");
    tls->use_private_key_file(api_folder() / "server.key", asio::ssl::context::pem);
    auto answer = [this](http::asked) -> awaitable<http::page> { co_return http::page{200, log_}; };
    co_await http::serve_clients(door_, answer, [tls] { return http::manners{.tls = tls}; }, {});
  }

 private:
  asio::ip::tcp::acceptor door_;
  std::string log_;
};

awaitable<void> make_node(jobs_stage& it, std::string name, int port) {
  auto node = R"({"apiVersion":"v1","kind":"Node","metadata":{"name":")" + name + R"("}})";
  must(co_await it.api.ask({.method = "POST", .path = "/api/v1/nodes", .body = json::parse(node).value()}));
  auto status = R"({"addresses":[{"type":"InternalIP","address":"127.0.0.1"}],"daemonEndpoints":{"kubeletEndpoint":{"Port":)" +
                std::to_string(port) + "}}}";
  must(co_await it.api.ask({.method = "PATCH",
                            .path = "/api/v1/nodes/" + name + "/status",
                            .body = json::object{{"status", json::parse(status).value()}},
                            .content_type = "application/merge-patch+json"}));
}

/// The pod of the Job run-a-1, whose container runs on that node.
awaitable<void> run_pod(jobs_stage& it, std::string node) {
  auto uid = std::string(uid_of(co_await it.job("run-a-1")));
  co_await it.put(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"run-a-1-x","namespace":")" + it.ns +
                  R"(","labels":{"kopiur.home-operations.com/run":"run-a","batch.kubernetes.io/job-name":"run-a-1"},"ownerReferences":)"
                  R"([{"apiVersion":"batch/v1","kind":"Job","name":"run-a-1","uid":")" +
                  uid + R"("}]},"spec":{"nodeName":")" + node + R"(","containers":[{"name":"mover","image":"none"}]}})");
  auto status = R"({"phase":"Running","containerStatuses":[{"name":"mover","image":"none","imageID":"","ready":true,"restartCount":0,)"
                R"("state":{"running":{"startedAt":"2026-11-22T08:00:00Z"}}}]})";
  must(co_await it.api.ask({.method = "PATCH",
                            .path = path_of(*resource_of("Pod"), it.ns, "run-a-1-x", "status"),
                            .body = json::object{{"status", json::parse(status).value()}},
                            .content_type = "application/merge-patch+json"}));
}

/// The stage stops a mover after 10,000 bytes.
TEST(Jobs, AreStoppedWhenTheyPrintTooMuch) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    jobs_stage it(loop, "loud");
    co_await it.make_namespace();
    fake_kubelet kubelet(loop, std::string(20'000, 'x'));  // one line that does not end
    auto story = [&]() -> awaitable<void> {
      co_await make_node(it, "loud-node", kubelet.port());
      co_await it.put_password();
      must(co_await it.create(it.command("run-a")));
      co_await run_pod(it, "loud-node");
      auto is_ending = [&]() -> awaitable<bool> { co_return is_terminating(must(co_await it.all.read({"Pod", it.ns, "run-a-1-x", ""}))); };
      for (int i = 0; i < 200 && !co_await is_ending(); ++i) co_await it.time.sleep_for(50ms);
      must(co_await it.api.ask({.method = "DELETE",
                                .path = path_of(*resource_of("Pod"), it.ns, "run-a-1-x"),
                                .body = json::object{{"gracePeriodSeconds", 0}}}));  // as its kubelet does in the end
      co_await it.until([&] { return it.reason("run-a-1") == "OutputTooLarge"; }, "it is not told why it was stopped");
    };
    co_await app::first_of(app::first_of(it.movers.run(), kubelet.serve()), story());
  });
}

}  // namespace
}  // namespace kopiur::gateway::kubernetes
