#include "services/gateway/kubernetes/jobs/user_job.hpp"

#include "services/gateway/kubernetes/objects/pod.hpp"

namespace kopiur::gateway::kubernetes {

using namespace std::chrono_literals;
using json::object;
using json::value;
using proto::answer_code;

namespace {

constexpr duration look_again = 1s;
/// Kubernetes ends the Job at its deadline, and needs a moment to report that.
constexpr duration grace = 30s;
constexpr std::int64_t kept_seconds = 3600;

/// The result of an ended Job; nothing while it runs.
std::optional<outcome<void>> end_of(value const& job, std::string const& name) {
  if (condition(job, "Complete")) return outcome<void>();
  auto* failed = condition(job, "Failed");
  if (!failed) return {};
  return refuse(answer_code::Unavailable, name + " failed (" + std::string(failed->text("reason")) +
                                              "): " + std::string(failed->text("message")) + "; its log: kubectl logs -n " +
                                              std::string(job.text("metadata.namespace")) + " job/" +
                                              std::string(job.text("metadata.name")));
}

void set_unless(value& in, char const* name, value otherwise) {
  if (!in.find(name)) in.set(name, std::move(otherwise));
}

}  // namespace

value manifest_of(proto::run_user_job const& command) {
  auto spec = command.job_spec;
  auto* asked = spec.find("activeDeadlineSeconds");
  auto own = asked && asked->as_int() ? *asked->as_int() : command.timeout_seconds;
  spec.set("activeDeadlineSeconds", std::min(own, command.timeout_seconds));
  set_unless(spec, "ttlSecondsAfterFinished", kept_seconds);
  if (auto* pod = spec.at("template.spec")) {
    auto changed = *pod;
    set_unless(changed, "restartPolicy", "Never");
    spec.find("template")->set("spec", std::move(changed));
  }
  value metadata = object{{"name", command.name},
                          {"namespace", command.namespace_},
                          {"labels", object{{"app.kubernetes.io/managed-by", "kopiur"}}},
                          {"annotations", object{{ours("run"), command.run}}}};
  return object{{"apiVersion", "batch/v1"}, {"kind", "Job"}, {"metadata", std::move(metadata)}, {"spec", std::move(spec)}};
}

awaitable<outcome<void>> run_to_end(objects& all, clock& time, proto::run_user_job command) {
  auto name = "Job " + command.namespace_ + "/" + command.name;
  auto there = co_await all.create(manifest_of(command));
  if (!there) co_return std::unexpected(there.error());
  auto uid = std::string(uid_of(*there));
  auto until = time.now() + std::chrono::seconds(command.timeout_seconds) + grace;
  for (;;) {
    if (there) {
      if (auto result = end_of(*there, name)) co_return *result;
    } else if (there.error().code == answer_code::NotFound) {
      co_return refuse(answer_code::NotFound, name + " was deleted before it ended.");
    }
    if (time.now() > until) co_return refuse(answer_code::Unavailable, name + " has not ended in time.");
    co_await time.sleep_for(look_again);
    there = co_await all.read({"Job", command.namespace_, command.name, uid});
  }
}

}  // namespace kopiur::gateway::kubernetes
