#pragma once
#include <string>
#include <string_view>
#include <utility>

#include "common/json/codec.hpp"
#include "proto/describe.hpp"

/// How a run ends, whatever its program is.
namespace kopiur::proto {

enum class outcome { Succeeded, Unchanged, Failed };
BOOST_DESCRIBE_ENUM(outcome, Succeeded, Unchanged, Failed)

/// The failures that the engine itself finds. Each program has more of its own (kopia's: kopia_failure).
enum class failure_class {
  InvalidWork,  ///< the task itself is invalid
  Cancelled,
  DeadlineExceeded,
  QuiesceTimeout,       ///< hooks quiesced the application for longer than allowed
  MissedOccasion,       ///< the other sources of its group were captured without it
  PreconditionMissing,  ///< a precondition was missing for longer than its deadline
  LeaseTaken,           ///< another run holds a lease that the plan does not wait for
  PodNotStarted,        ///< its pod could not start: image, scheduling, volume
  MoverLost,            ///< no result: killed, evicted, node gone
  ContainerFailed,      ///< a container of a plan ended with another exit status than 0
  HookFailed,           ///< a before-hook failed; nothing was done
  Unknown
};
BOOST_DESCRIBE_ENUM(failure_class, InvalidWork, Cancelled, DeadlineExceeded, QuiesceTimeout, MissedOccasion, PreconditionMissing,
                    LeaseTaken, PodNotStarted, MoverLost, ContainerFailed, HookFailed, Unknown)

/// The name of a failure's class. The set is open: a program has classes of its own, and a newer version more than this one knows.
class failure_name {
 public:
  failure_name() : failure_name(failure_class::Unknown) {}
  template <json::described_enum E>
  failure_name(E one) : name_(json::to_text(one)) {}
  explicit failure_name(std::string name) : name_(std::move(name)) {}
  std::string const& json_text() const { return name_; }
  bool operator==(failure_name const&) const = default;

 private:
  std::string name_;
};

struct run_failure {
  failure_name class_;
  std::string message;      ///< a sentence: what, why, how to fix
  std::string stderr_tail;  ///< the program's last line, without secrets
  bool retryable = false;
};
KOPIUR_DESCRIBE_NOTED(run_failure, (), (class_, message, stderr_tail, retryable))

}  // namespace kopiur::proto
