#pragma once
#include <gtest/gtest.h>

#include <cstdlib>

#include "common/app/system_clock.hpp"
#include "common/testing/run.hpp"
#include "services/gateway/adapters/kubernetes/client.hpp"

/// What the tests against a real API server share (e2e/cluster/with_api.sh runs them).
namespace kopiur::gateway::kubernetes {

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

/// Why it was not done; nothing when it was.
template <class Result>
std::optional<proto::answer_code> code_of(Result const& of) {
  return of ? std::nullopt : std::optional(of.error().code);
}

/// Runs a scene, a coroutine of a loop, to its end.
void play(auto scene) {
  testing::run([&](boost::asio::io_context& loop) { return scene(loop); });
}

}  // namespace kopiur::gateway::kubernetes
