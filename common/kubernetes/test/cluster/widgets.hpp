#pragma once
#include "common/kubernetes/definition.hpp"
#include "common/kubernetes/test/cluster/api.hpp"

namespace kopiur::kubernetes {

/// A kind of the test, cluster-scoped, whose definition comes and goes. Each test has a group of its own.
class widget_stage : public stage_base {
 public:
  widget_stage(asio::io_context& loop, std::string name)
      : stage_base(loop, std::move(name)), group(ns + ".example.com"), version(group + "/v1"), widgets{"Widget", version, "widgets"} {}

  awaitable<void> install() {
    auto manifest = R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"widgets.)" + group +
                    R"("},"spec":{"group":")" + group +
                    R"(","scope":"Cluster","names":{"kind":"Widget","plural":"widgets"},"versions":[{"name":"v1","served":true,)"
                    R"("storage":true,"schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}})";
    must(co_await api.ask({.method = "POST", .path = path_of(definitions), .body = json::parse(manifest).value()}));
  }
  /// Returns once the server has deleted all widgets, and the definition after them.
  awaitable<void> uninstall() {
    auto path = path_of(definitions, "", definition_name(widgets));
    must(co_await api.ask({.method = "DELETE", .path = path}));
    while (co_await api.ask({.path = path})) co_await time.sleep_for(std::chrono::milliseconds(50));
  }
  /// Retries while the server does not serve a new definition yet.
  awaitable<void> create(std::string name) {
    auto manifest = json::parse(R"({"apiVersion":")" + version + R"(","kind":"Widget","metadata":{"name":")" + name + R"("}})").value();
    for (int tries = 0; tries < 100; ++tries) {
      auto made = co_await api.ask({.method = "POST", .path = path_of(widgets), .body = manifest});
      if (made) co_return;
      co_await time.sleep_for(std::chrono::milliseconds(100));
    }
    throw std::runtime_error("the server does not serve the definition");
  }
  awaitable<void> remove(std::string name) { must(co_await api.ask({.method = "DELETE", .path = path_of(widgets, "", name)})); }

  std::string group, version;
  resource widgets;
};

}  // namespace kopiur::kubernetes
