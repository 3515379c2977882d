#include "services/gateway/core/jobs.hpp"

#include <algorithm>

#include "proto/codec.hpp"
#include "services/gateway/core/names.hpp"

namespace kopiur::gateway {

using proto::answer_code;

outcome<std::string> job_name(std::string const& run, int attempt) {
  if (!is_object_name(run) || attempt < 1)
    return refuse(answer_code::Invalid, "A Job is named by its run and attempt; \"" + run + "\", attempt " + std::to_string(attempt) +
                                            ", is not valid: a run's id holds lower-case letters, digits, \"-\" and \".\".");
  auto name = run + "-" + std::to_string(attempt);
  if (name.size() > 200) return refuse(answer_code::Invalid, "The run's id is longer than a file name may be: \"" + run + "\".");
  return name;
}

outcome<std::string> task_text(proto::create_job const& spec, std::map<std::string, std::string> const& folders) {
  auto* task = std::get_if<proto::kopia_task>(&spec.body);
  if (!task) return std::string();
  auto real = proto::with_folders(*task, folders);
  if (!real) return refuse(answer_code::Invalid, real.error());
  return json::pretty(json::encode(*real));
}

std::string cache_folder(proto::create_job const& spec) {
  bool stated = spec.pod && spec.pod->cache && !spec.pod->cache->key.empty();
  return stated ? spec.pod->cache->key : spec.run;
}

proto::job job_of(proto::create_job const& spec, std::string uid, proto::job_status status) {
  return {.run = spec.run,
          .attempt = spec.attempt,
          .namespace_ = spec.namespace_,
          .uid = std::move(uid),
          .serves = spec.serves,
          .leases = spec.leases,
          .status = std::move(status)};
}

json::value job_object(proto::job const& job, std::int64_t version) {
  auto name = job.run + "-" + std::to_string(job.attempt);
  auto metadata = json::value(json::object{{"name", name},
                                           {"namespace", job.namespace_},
                                           {"uid", job.uid},
                                           {"resourceVersion", std::to_string(version)},
                                           {"labels", json::object{{ours("run"), job.run}}}});
  auto object = json::value(json::object{{"apiVersion", ours("v1alpha1")}, {"kind", "Job"}, {"metadata", std::move(metadata)}});
  auto encoded = json::encode(job);
  for (auto& [member, content] : *encoded.as_object()) object.set(member, std::move(content));
  return object;
}

namespace {

std::string why_lost(job_end const& end) {
  if (end.stopped == stop_deadline) return "The mover was stopped at its deadline.";
  if (end.stopped == stop_output) return "The mover was stopped: it printed more than a mover may print.";
  auto ending = end.ending.empty() ? std::string(".") : " (" + end.ending + ").";
  if (!end.started) return "The mover was never started" + ending;
  if (end.ending == "signal 9") return "The mover was killed (signal 9), by another program or because the machine ran out of memory.";
  return "The mover ended without a result" + ending;
}

/// The end of plain containers, as a result.
std::optional<proto::job_result> report_of(proto::create_job const& spec, proto::pod_plan const& plan, job_end const& end) {
  if (!end.exit_status || !end.stopped.empty()) return {};
  bool good = *end.exit_status == 0 && end.container == plan.main.name;
  proto::pod_report report{.run = spec.run,
                           .attempt = spec.attempt,
                           .outcome = good ? proto::outcome::Succeeded : proto::outcome::Failed,
                           .exit_status = *end.exit_status};
  if (plan.result == proto::pod_result::Text) report.text = end.said;
  if (!good)
    report.failure = proto::run_failure{.class_ = proto::failure_class::ContainerFailed,
                                        .message = "The container " + end.container + " failed: " + end.ending + ".",
                                        .stderr_tail = end.said,
                                        .retryable = true};
  return proto::job_result(report);
}

std::optional<proto::job_result> result_of(proto::create_job const& spec, job_end const& end) {
  auto* plan = std::get_if<proto::pod_plan>(&spec.body);
  if (plan && plan->result != proto::pod_result::Json) return report_of(spec, *plan, end);
  auto read = json::read<proto::job_result>(end.said);
  bool ours = read && read->run == spec.run && read->attempt == spec.attempt;
  return ours ? std::optional(std::move(*read)) : std::nullopt;
}

}  // namespace

proto::job_status ended(proto::job_status status, proto::create_job const& spec, job_end const& end, instant now) {
  auto result = result_of(spec, end);
  bool told_to_stop = result && result->failure && result->failure->class_ == proto::failure_class::Cancelled;
  bool stopped_by_us = end.stopped == stop_deadline || end.stopped == stop_output;
  status.pods_gone = true;
  status.finished_at = now;
  status.reason.clear(), status.message.clear(), status.result.reset();
  if (result && !(told_to_stop && stopped_by_us)) {
    status.phase = proto::job_phase::Finished;
    status.result = std::move(result);
    return status;
  }
  status.phase = proto::job_phase::Lost;
  status.reason = end.stopped.empty() ? "MoverLost" : end.stopped;
  status.message = why_lost(end);
  return status;
}

std::optional<proto::output_page> row_pager::add(json::value row) {
  auto bytes = json::dump(row).size() + 1;
  std::optional<proto::output_page> full;
  if (page_.rows.size() == max_rows || (!page_.rows.empty() && bytes_ + bytes > max_bytes)) full = finish();
  page_.rows.push_back(std::move(row));
  bytes_ += bytes;
  return full;
}

std::optional<proto::output_page> row_pager::finish() {
  if (page_.rows.empty()) return std::nullopt;
  bytes_ = 0;
  return std::exchange(page_, {});
}

}  // namespace kopiur::gateway
