#pragma once
#include "common/testing/world.hpp"

namespace kopiur::testing {

/// Runs one process to its end; returns the text of what it threw, or "returned".
inline std::string run_alone(world& home, std::function<asio::awaitable<void>(process&)> main, duration at_most = std::chrono::hours(10)) {
  std::string ending = "still running";
  home.on_end([&](std::string const&, std::string const& why) { ending = why; });
  home.start("alone", std::move(main));
  for (auto end = home.now() + at_most; ending == "still running" && home.step(end););
  home.on_end(nullptr);
  return ending;
}

}  // namespace kopiur::testing
