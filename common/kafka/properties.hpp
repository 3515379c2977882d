#pragma once
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "common/kafka/connection.hpp"

namespace kopiur::kafka {

/// The properties of librdkafka for this connection, by its own names. Some values are secret. `limit`: of a request.
std::vector<std::pair<std::string, std::string>> properties_of(connection const& target, std::chrono::milliseconds limit);

}  // namespace kopiur::kafka
