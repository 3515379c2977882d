#include "common/kafka/handles.hpp"

namespace kopiur::kafka {

namespace {

failure kind_of(rd_kafka_resp_err_t code) {
  switch (static_cast<int>(code)) {  // most codes are refusals
    case RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART:
    case RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC:
      return failure::absent;
    case RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE:
    case RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION:
    case RD_KAFKA_RESP_ERR_FENCED_LEADER_EPOCH:
    case RD_KAFKA_RESP_ERR_UNKNOWN_LEADER_EPOCH:
      return failure::unready;
    case RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS:
      return failure::exists;
    case RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED:
    case RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED:
    case RD_KAFKA_RESP_ERR_SASL_AUTHENTICATION_FAILED:
    case RD_KAFKA_RESP_ERR__AUTHENTICATION:
      return failure::denied;
    case RD_KAFKA_RESP_ERR__TIMED_OUT:
    case RD_KAFKA_RESP_ERR__TRANSPORT:
    case RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN:
    case RD_KAFKA_RESP_ERR__DESTROY:
    case RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT:
      return failure::unanswered;
    default:
      return failure::refused;
  }
}

}  // namespace

error error_of(rd_kafka_resp_err_t code, char const* said) {
  std::string text = said && *said ? said : rd_kafka_err2str(code);
  while (text.ends_with('.')) text.pop_back();
  return {kind_of(code), text + " (" + rd_kafka_err2name(code) + ")."};
}

}  // namespace kopiur::kafka
