#include "common/encoding/text.hpp"
#include "proto/codec.hpp"
#include "services/systems/openbao/plans/restore.hpp"
#include "services/systems/openbao/plans/settle.hpp"

/// How a restore ended. Completed needs proof: the Job succeeded, and its pod's claim of the submission names the same snapshot.
namespace kopiur::openbao {

using namespace proto;

namespace {

/// The executor's exit statuses (spec/openbao-restore.md A3.2), and one of ours.
constexpr std::int64_t refused_by_openbao = 4, outcome_unknown = 7;

pod_report const* report_of(run_state const& run) { return is_terminal(run.stage) && run.result ? run.result->as<pod_report>() : nullptr; }

/// Who claimed the submission; nothing: nobody is known to have.
std::optional<bao_submission_claim> claim_of(controller::cluster_view const& all, run_state const& run) {
  auto* wanted = restore_of(all.objects, run);
  if (wanted && wanted->status.submission_claim) return wanted->status.submission_claim;
  auto* live = all.answer(read_object::member, proof_key(run));
  auto* claim = live && live->object ? live->object->at("status.submissionClaim") : nullptr;
  auto read = claim && claim->is_object() ? json::decode<bao_submission_claim>(*claim) : std::unexpected(json::problem{});
  return read ? std::optional(std::move(*read)) : std::nullopt;
}

std::string with_message(std::string first, told const& said) { return said.message.empty() ? first : first + " " + said.message; }

verdict unknown(std::string why) {
  return {bao_phase::Unknown, std::move(why) +
                                  " It is not submitted again. Read a secret that tells both states apart, and create another "
                                  "OpenBaoRestore if it is needed."};
}

verdict after_success(std::optional<bao_submission_claim> const& claim, told const& said) {
  if (!claim) return unknown("The Job succeeded, but no pod of it claimed the submission.");
  if (!said.digest.empty() && said.digest != claim->digest)
    return unknown("The Job succeeded, but the claim of the submission names another snapshot.");
  return {bao_phase::Completed, "OpenBao has the snapshot " + claim->digest + "."};
}

verdict after_result(pod_report const& result, std::optional<bao_submission_claim> const& claim, told const& said) {
  if (result.outcome != outcome::Failed) return after_success(claim, said);
  if (result.exit_status == refused_by_openbao)
    return {bao_phase::Failed, said.message.empty() ? "OpenBao refused the snapshot." : said.message};
  if (result.exit_status == outcome_unknown && !said.message.empty()) return unknown(said.message);
  if (claim || result.exit_status == outcome_unknown)
    return unknown(with_message("The Job failed with exit status " + std::to_string(result.exit_status) + ".", said));
  return {bao_phase::Failed, with_message("Nothing was submitted to OpenBao.", said)};
}

std::string failure_of(run_state const& run) {
  return run.failure ? run.failure->message : std::string("The run did not say why it failed.");
}

}  // namespace

std::string proof_key(run_state const& run) { return run.run + "-proof"; }

told told_by(run_state const& run) {
  auto* result = report_of(run);
  if (!result) return {};
  auto& text = result->text.empty() && result->failure ? result->failure->stderr_tail : result->text;
  auto read = json::read<told>(std::string(encoding::trimmed(text)));
  return read ? std::move(*read) : told{.message = std::string(encoding::trimmed(text))};
}

verdict end_of(controller::cluster_view const& all, run_state const& run) {
  auto claim = claim_of(all, run);
  auto* result = report_of(run);
  if (result && run.outcome != run_outcome::Unknown) return after_result(*result, claim, told_by(run));
  if (run.outcome == run_outcome::Unknown || claim) return unknown(failure_of(run));
  if (run.outcome == run_outcome::Succeeded) return unknown("The Job succeeded without a result.");
  return {bao_phase::Failed, failure_of(run)};
}

}  // namespace kopiur::openbao
