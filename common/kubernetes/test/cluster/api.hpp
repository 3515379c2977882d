#pragma once
#include <gtest/gtest.h>

#include <cstdlib>

#include "common/app/system_clock.hpp"
#include "common/kubernetes/client.hpp"
#include "common/testing/run.hpp"

/// Shared by the tests against a real API server (e2e/cluster/with_api.sh runs them).
namespace kopiur::kubernetes {

inline constexpr resource namespaces{"Namespace", "v1", "namespaces"}, config_maps{"ConfigMap", "v1", "configmaps"},
    secrets{"Secret", "v1", "secrets"};

inline std::filesystem::path api_folder() {
  auto* folder = std::getenv("KOPIUR_TEST_API");
  if (!folder) throw std::runtime_error("KOPIUR_TEST_API is not set: run this by e2e/cluster/with_api.sh");
  return folder;
}
inline access as(std::string const& user) {
  auto found = from_kubeconfig(api_folder() / (user + ".kubeconfig"));
  if (!found) throw std::runtime_error(found.error());
  return *found;
}

/// Why it failed; nothing when it succeeded.
template <class Result>
auto code_of(Result const& result) {
  return result ? std::nullopt : std::optional(result.error().code);
}

/// The result; throws when there is none.
template <class T, class E>
T must(std::expected<T, E> result) {
  if (!result) throw std::runtime_error(result.error().message);
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// A client (the administrator's, unless another user is named) and a namespace that the test creates.
struct stage_base {
  stage_base(asio::io_context& loop, std::string name, std::string const& user = "admin")
      : time(loop.get_executor()), api(time, loop.get_executor(), as(user)), ns(std::move(name)) {}

  awaitable<void> make_namespace() {
    auto manifest = json::parse(R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":")" + ns + R"("}})").value();
    must(co_await api.ask({.method = "POST", .path = path_of(namespaces), .body = std::move(manifest)}));
  }

  app::system_clock time;
  client api;
  std::string ns;
};

}  // namespace kopiur::kubernetes
