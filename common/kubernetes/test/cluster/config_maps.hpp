#pragma once
#include <signal.h>

#include <fstream>

#include "common/kubernetes/reflector.hpp"
#include "common/kubernetes/test/cluster/api.hpp"

namespace kopiur::kubernetes {

/// ConfigMaps in a namespace of the test.
class config_map_stage : public stage_base {
 public:
  using stage_base::stage_base;

  static json::value manifest(std::string const& name, std::string const& content) {
    return json::parse(R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":")" + name +
                       R"(","labels":{"of":"test"}},"data":{"is":")" + content + R"("}})")
        .value();
  }
  std::string path(std::string const& name = "") const { return path_of(config_maps, ns, name); }
  awaitable<result<json::value>> create(std::string name, std::string content = "first") {
    return api.ask({.method = "POST", .path = path(), .body = manifest(name, content)});
  }
  awaitable<result<json::value>> put(json::value object) {
    auto name = std::string(object.text("metadata.name"));
    return api.ask({.method = "PUT", .path = path(name), .body = std::move(object)});
  }
  awaitable<result<json::value>> remove(std::string name, std::string uid = "") {
    json::value labels = json::value::make_object();
    if (!uid.empty()) labels.set("preconditions", json::object{{"uid", uid}});
    return api.ask({.method = "DELETE", .path = path(name), .body = std::move(labels)});
  }
  reflector follow(int page = 500) { return follow(page, api); }
  reflector follow(int page, client& by) {
    return reflector(by, time, {.resource = config_maps, .namespace_ = ns, .selector = "of=test", .page = page});
  }
  /// Simulates a crash of the machine; with_api.sh restarts the server. Returns once it answers.
  awaitable<void> kill_server() {
    pid_t pid = 0;
    std::ifstream(api_folder() / "apiserver.pid") >> pid;
    ::kill(pid, SIGKILL);
    co_await time.sleep_for(std::chrono::milliseconds(500));
    client other(time, co_await asio::this_coro::executor, as("admin"));
    for (int tries = 0; tries < 60; ++tries)
      if (co_await other.ask({.path = "/api/v1/namespaces/" + ns})) co_return;
    throw std::runtime_error("the API server has not come back");
  }
};

}  // namespace kopiur::kubernetes
