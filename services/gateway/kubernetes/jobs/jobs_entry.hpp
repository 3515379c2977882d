#pragma once
#include "proto/codec.hpp"
#include "services/gateway/kubernetes/jobs/jobs.hpp"

/// Shared by jobs.cpp and job_life.cpp.
namespace kopiur::gateway::kubernetes {

/// Poll interval for what no watch reports.
inline constexpr duration job_look{1'000};
/// A mover that has not started after this time is looked up in Events.
inline constexpr duration strange_after{3'000};

struct jobs::entry {
  entry(asio::any_io_executor const& loop, object_key its_key, proto::create_job const& command)
      : key(std::move(its_key)), run(command.run), attempt(command.attempt), order(json::write(command)), woken(loop) {}
  proto::create_job command() const { return json::read<proto::create_job>(order).value(); }
  /// Its Secret exists and contains the work: drops what only the Secret needed.
  void furnished() {
    auto without = command();
    without.work = {}, without.volumes.clear(), without.pod = {};
    order = json::write(without);
  }

  object_key key;
  std::string run;
  int attempt;
  std::string order;      // the command as text: a fifth of the memory
  json::value job;        // brief()
  bool gone = false;      // the Job no longer exists
  bool waits = false;     // has all that it needs, and has not started: no coroutine observes it
  instant asked{};        // while it waits: when Events were last read for it
  bool finished = false;  // its end has been reported
  bool stopped = false;   // a user deleted the Job, and a finalizer keeps it: the gateway ends its pod
  bool no_pod = false;    // and after that the API server reported that none runs
  proto::job_status told;
  std::int64_t version = 0;
  std::optional<std::pair<std::string, std::string>> trouble;  // reason and sentence, when neither Job nor pod has one
  std::vector<proto::row_page> pages;
  std::string rest;  // the end of its log, without progress and rows
  app::event woken;
};

}  // namespace kopiur::gateway::kubernetes
