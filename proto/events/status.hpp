#pragma once
#include <string>
#include <vector>

#include "common/json/value.hpp"
#include "common/time/instant.hpp"
#include "proto/describe.hpp"

namespace kopiur::proto {

/// A condition as a service states it; the gateway keeps the transition time while `status` is unchanged.
struct condition_fragment {
  std::string type, status, reason, message;
  auto operator<=>(condition_fragment const&) const = default;
};
KOPIUR_DESCRIBE_NOTED(condition_fragment, (), (type, status, reason, message))

/// The fact or resource that something was derived from; of several, the last one.
struct source {
  std::uint64_t sequence = 0;  ///< in its stream
  instant at{};                ///< when the stream received it
  bool operator==(source const&) const = default;
};
KOPIUR_DESCRIBE_NOTED(source, (), (sequence, at))
/// The sequence decides. After a stream was lost its sequences start over, so what arrived later is never older, whatever its sequence.
inline bool is_older(source const& one, source const& than) { return one.sequence < than.sequence && one.at <= than.at; }

/// A service's fragment of an object's status: `status` is merged (RFC 7386) into the object's, `conditions` by type. No two services own
/// the same field (decisions.md section 1). A fragment derived from an older fact is dropped.
struct status_fragment {
  std::string uid;  ///< of the object; only an object with that uid is changed
  source made_from;
  std::int64_t observed_generation = 0;
  json::value status;
  std::vector<condition_fragment> conditions;
};
KOPIUR_DESCRIBE_NOTED(status_fragment, (), (uid, made_from, observed_generation, status, conditions))

}  // namespace kopiur::proto
