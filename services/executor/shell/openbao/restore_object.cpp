#include "services/executor/shell/openbao/restore_object.hpp"

#include <boost/asio.hpp>

namespace kopiur::executor::openbao {

namespace asio = boost::asio;
using asio::awaitable;

namespace {

constexpr kubernetes::resource restores{"OpenBaoRestore", "openbao.org/v1alpha1", "openbaorestores"};

std::unexpected<trouble> failed(std::string message) { return std::unexpected(trouble{status::verification, std::move(message)}); }

std::string advice_for(kubernetes::error const& why) {
  if (why.code == kubernetes::failure::forbidden)
    return " Allow the pod's service account to get openbaorestores and to patch openbaorestores/status.";
  return "";
}

}  // namespace

restore_object::restore_object(clock& time, asio::any_io_executor loop, kubernetes::access account, std::string ns, request_identity who)
    : ns_(std::move(ns)),
      who_(std::move(who)),
      reads_(time, loop, account, {.answer = std::chrono::seconds(10)}),
      writes_(time, loop, account, {.answer = std::chrono::seconds(30), .attempts = 1}) {}

outcome<std::shared_ptr<restore_object>> restore_object::open(clock& time, asio::any_io_executor loop, kubernetes::access account,
                                                              std::string ns, request_identity who) {
  try {
    return std::shared_ptr<restore_object>(new restore_object(time, std::move(loop), std::move(account), std::move(ns), std::move(who)));
  } catch (std::runtime_error const& why) {
    return std::unexpected(trouble{status::configuration, why.what()});
  }
}

awaitable<outcome<judgement>> restore_object::read() {
  auto object = co_await reads_.ask({.path = kubernetes::path_of(restores, ns_, who_.name)});
  if (object) co_return judge(*object, who_);
  auto& why = object.error();
  co_return failed("The OpenBaoRestore " + who_.name + " cannot be read, and nothing was submitted. " + why.message + advice_for(why));
}

awaitable<target_pod> restore_object::describe(std::string pod) {
  auto object = co_await reads_.ask({.path = kubernetes::path_of(kubernetes::pods, ns_, pod)});
  target_pod known{.name = std::move(pod)};
  co_return object ? with_pod(std::move(known), *object) : known;
}

awaitable<outcome<judgement>> restore_object::claim_submission(claim what) {
  kubernetes::call patch{.method = "PATCH",
                         .path = kubernetes::path_of(restores, ns_, who_.name, "status"),
                         .body = patch_of(what, who_),
                         .content_type = "application/json-patch+json"};
  auto answer = co_await writes_.ask(std::move(patch));
  if (answer && has_claim(*answer, what)) co_return judgement{standing::open};
  if (answer)
    co_return failed(
        "The API server did not store the claim, and nothing was submitted. Install a CRD of OpenBaoRestore that has "
        "status.submissionClaim.");
  auto why = answer.error();
  if (why.status == 422) {  // one of its tests failed
    auto now = co_await read();
    if (now && now->is != standing::open) co_return now;
  }
  co_return failed("The submission could not be claimed, and nothing was submitted. " + why.message + advice_for(why));
}

}  // namespace kopiur::executor::openbao
