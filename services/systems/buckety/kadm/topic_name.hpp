#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace kopiur::buckety::kadm {

/// Why it is not a name for a topic of Kafka; nothing when it is one.
std::optional<std::string> refuse_topic_name(std::string_view name);

}  // namespace kopiur::buckety::kadm
