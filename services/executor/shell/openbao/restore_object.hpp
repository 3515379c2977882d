#pragma once
#include "common/kubernetes/client.hpp"
#include "services/executor/core/openbao/claim.hpp"

namespace kopiur::executor::openbao {

/// The OpenBaoRestore for which this pod runs, in the API server.
class restore_object {
 public:
  /// By the service account in the folder. `time` outlives it.
  static outcome<std::shared_ptr<restore_object>> open(clock& time, boost::asio::any_io_executor loop, kubernetes::access account,
                                                       std::string ns, request_identity who);

  /// What it says about a submission by this pod.
  boost::asio::awaitable<outcome<judgement>> read();
  /// The pod with its uid, address and container, where it may be read.
  boost::asio::awaitable<target_pod> describe(std::string pod);
  /// Claims the submission, by one write without a retry. Open: it is won; taken: another pod has it.
  boost::asio::awaitable<outcome<judgement>> claim_submission(claim what);

 private:
  restore_object(clock& time, boost::asio::any_io_executor loop, kubernetes::access account, std::string ns, request_identity who);

  std::string ns_;
  request_identity who_;
  kubernetes::client reads_, writes_;
};

}  // namespace kopiur::executor::openbao
