#include "services/gateway/core/epochs.hpp"

namespace kopiur::gateway {

std::vector<std::string> losses(epochs const& known, epochs const& now) {
  std::vector<std::string> sentences;
  for (auto const& [stream, before] : known) {
    auto there = now.find(stream);
    if (there == now.end()) {
      sentences.push_back("The stream \"" + stream + "\" is gone.");
    } else if (there->second.created != before.created) {
      sentences.push_back("The stream \"" + stream + "\" was created again at " + there->second.created + "; the one of " + before.created +
                          " is lost.");
    } else if (there->second.last_sequence < before.last_sequence) {
      sentences.push_back("The stream \"" + stream + "\" ends at message " + std::to_string(there->second.last_sequence) + ", but had " +
                          std::to_string(before.last_sequence) + ": acknowledged messages are lost.");
    }
  }
  return sentences;
}

epochs memorable(epochs now) {
  for (auto& [stream, epoch] : now)
    if (stream != "runs" && stream != "requests") epoch.last_sequence = 0;
  return now;
}

}  // namespace kopiur::gateway
