#pragma once
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "services/executor/core/openbao/health.hpp"

namespace kopiur::executor::openbao {

/// The exit status: 1 to 6 are those of openbao-operator's executor.
enum class status {
  done = 0,
  configuration = 1,
  authentication = 2,
  leader = 3,
  refused = 4,  ///< OpenBao certainly did not take the snapshot, or did not give one
  storage = 5,
  verification = 6,  ///< digest, size, claim, or the identity of the object; nothing was submitted
  unknown = 7,       ///< submitted; nobody knows whether OpenBao took it
  unsettled = 8,     ///< the voters did not become healthy in time
};

/// Why a step failed.
struct trouble {
  status code = status::configuration;
  std::string message;  ///< a sentence without secrets
};
template <class T>
using outcome = std::expected<T, trouble>;

/// What is known at the end of the program.
struct report {
  status code = status::done;
  std::string message{};
  std::string key{}, digest{}, cluster_id{}, version{};
  std::optional<std::uint64_t> size{};
  std::optional<voters> members{};
};
/// The same with why it ended.
report failed(report known, trouble why);
/// One line of JSON, at most 2,048 bytes. `stateful_set` names the members.
std::string to_line(report const& what, std::string const& stateful_set);

}  // namespace kopiur::executor::openbao
