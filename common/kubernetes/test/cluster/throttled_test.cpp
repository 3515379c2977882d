#include <regex>

#include "common/kubernetes/test/cluster/api.hpp"
#include "common/kubernetes/tls.hpp"

namespace kopiur::kubernetes {
namespace {

/// How many requests the server has refused as too many, from its own metric.
awaitable<int> refused_requests(asio::io_context& loop) {
  auto who = as("admin");
  connection connection(loop.get_executor(), tls_of(who), http::parse_url(who.server).value(), "");
  co_await connection.open();
  auto page = co_await connection.exchange({.target = "/metrics", .headers = {}, .body = {}, .longest = 64 << 20});
  std::regex const line("apiserver_request_total\\{[^}]*code=\"429\"[^}]*\\} ([0-9]+)");
  int sum = 0;
  for (std::sregex_iterator found(page.body.begin(), page.body.end(), line), end; found != end; ++found) sum += std::stoi((*found)[1]);
  co_return sum;
}

TEST(Throttled, EverythingIsDoneOnceInTheEnd) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage_base it(loop, "default", "writer");
    app::nursery writers(loop.get_executor());
    auto make = [&](int i) -> awaitable<void> {
      auto text = R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"n)" + std::to_string(i) + R"("}})";
      auto made = co_await it.api.ask({.method = "POST", .path = path_of(config_maps, it.ns), .body = json::parse(text).value()});
      EXPECT_FALSE(code_of(made)) << made.error().message;
    };
    for (int i = 0; i < 60; ++i) writers.spawn(make(i));
    co_await writers.join();
    auto list = co_await it.api.ask({.path = path_of(config_maps, it.ns)});
    int made = 0;
    for (auto& each : *list->at("items")->as_array()) made += each.text("metadata.name").starts_with("n");
    EXPECT_EQ(made, 60);
    EXPECT_GT(co_await refused_requests(loop), 0) << "the server has refused nothing: nothing was shown";
  });
}

}  // namespace
}  // namespace kopiur::kubernetes
