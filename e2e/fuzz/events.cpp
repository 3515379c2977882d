#include <array>

#include "e2e/fuzz/fuzz.hpp"
#include "proto/codec.hpp"

namespace kopiur::fuzz {
namespace {

/// Decodes the body as a T. Members that T does not have are accepted and lost, so the first encoding must survive a round trip.
template <class T>
void come_back(json::value const& body) {
  auto read = json::decode<T>(body);
  if (!read) return require(!read.error().what.empty(), "a refusal says why");
  auto text = json::write(*read);
  auto again = json::read<T>(text);
  require(again.has_value(), "what was encoded is decoded");
  require(json::write(*again) == text, "what was encoded is decoded as the same");
}

struct type {
  std::string_view name;
  void (*check)(json::value const&);
};
constexpr std::array types{type{"run_fact", come_back<proto::run_fact>},
                           type{"run_plan", come_back<proto::run_plan>},
                           type{"lease_state", come_back<proto::lease_state>},
                           type{"lease_waiter", come_back<proto::lease_waiter>},
                           type{"lease_request", come_back<proto::lease_request>},
                           type{"gateway_command", come_back<proto::gateway_command>},
                           type{"status_fragment", come_back<proto::status_fragment>},
                           type{"answer", come_back<proto::answer>},
                           type{"job", come_back<proto::job>},
                           type{"row_page", come_back<proto::row_page>},
                           type{"output_line", come_back<proto::output_line>},
                           type{"work", come_back<proto::kopia_task>},
                           type{"kopia_result", come_back<proto::kopia_result>},
                           type{"backup", come_back<proto::backup>},
                           type{"backup_config", come_back<proto::backup_config>},
                           type{"backup_schedule", come_back<proto::backup_schedule>},
                           type{"restore", come_back<proto::restore>},
                           type{"repository", come_back<proto::repository>},
                           type{"cluster_repository", come_back<proto::cluster_repository>},
                           type{"maintenance", come_back<proto::maintenance>}};

}  // namespace

/// The first line names the type, the rest is the body of the message.
void look(std::string_view input) {
  auto name = take_line(input);
  for (auto& each : types)
    if (each.name == name)
      if (auto body = json::parse(input)) each.check(*body);
}

}  // namespace kopiur::fuzz
