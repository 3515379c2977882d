#include "common/kafka/properties.hpp"

#include "common/encoding/join.hpp"

namespace kopiur::kafka {

std::vector<std::pair<std::string, std::string>> properties_of(connection const& target, std::chrono::milliseconds limit) {
  auto secured = std::string(target.sasl ? "sasl_" : "");
  std::vector<std::pair<std::string, std::string>> all{
      {"bootstrap.servers", encoding::join(target.seeds, ",")},
      {"client.id", target.client_ID},
      {"security.protocol", secured + (target.tls ? "ssl" : "plaintext")},
      {"allow.auto.create.topics", "false"},  // a look never makes a topic
      {"socket.connection.setup.timeout.ms", "5000"},
      {"reconnect.backoff.max.ms", "1000"},
      // Answers come in order: a request that gets none ends its connection then, or all after it would wait too.
      {"socket.timeout.ms", std::to_string(limit.count())},
      // A connection to each broker. When requests wait for one that is gone, librdkafka calls it again without pauses else.
      {"enable.sparse.connections", "false"},
      {"enable.metrics.push", "false"},
      {"log_level", "0"}};  // troubles come as events
  if (target.tls) {
    auto& [authorities, certificate, key] = *target.tls;
    if (authorities.empty())
      all.emplace_back("ssl.ca.location", "probe");  // where the system has them
    else
      all.emplace_back("ssl.ca.pem", authorities);
    if (!certificate.empty()) all.emplace_back("ssl.certificate.pem", certificate);
    if (!key.empty()) all.emplace_back("ssl.key.pem", key);
  }
  if (target.sasl) {
    all.emplace_back("sasl.mechanism", target.sasl->mechanism);
    all.emplace_back("sasl.username", target.sasl->user);
    all.emplace_back("sasl.password", target.sasl->password);
  }
  return all;
}

}  // namespace kopiur::kafka
