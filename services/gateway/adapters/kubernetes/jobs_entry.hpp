#pragma once
#include "proto/codec.hpp"
#include "services/gateway/adapters/kubernetes/jobs.hpp"

/// What jobs.cpp and job_life.cpp share.
namespace kopiur::gateway::kubernetes {

/// How often we look where nobody tells.
inline constexpr duration job_look{1'000};
/// A mover that has not begun by then is asked after.
inline constexpr duration strange_after{3'000};

struct jobs::entry {
  entry(asio::any_io_executor const& loop, object_key its_key, proto::create_job const& command)
      : key(std::move(its_key)), run(command.run), attempt(command.attempt), order(json::write(command)), woken(loop) {}
  proto::create_job command() const { return json::read<proto::create_job>(order).value(); }
  /// Its Secret is there, with its work: what only that was made of is held no longer.
  void furnished() {
    auto without = command();
    without.work = {}, without.volumes.clear(), without.pod = {};
    order = json::write(without);
  }

  object_key key;
  std::string run;
  int attempt;
  std::string order;      // the command as text: a fifth of the memory
  json::value job;        // brief
  bool gone = false;      // the Job is no longer there
  bool waits = false;     // has all that it needs, and has not started: nothing follows it
  instant asked{};        // while it waits: when somebody was last asked why
  bool finished = false;  // its end has been told
  bool stopped = false;   // somebody has deleted the Job, which is held: its pod is ended by us
  bool no_pod = false;    // and after that the API server has told that none runs
  proto::job_status told;
  std::int64_t version = 0;
  std::optional<std::pair<std::string, std::string>> trouble;  // reason and sentence, where neither Job nor pod has one
  std::vector<proto::row_page> pages;
  std::string rest;  // the end of its log but for progress and rows
  app::event woken;
};

}  // namespace kopiur::gateway::kubernetes
