#pragma once
#include <expected>
#include <string>

namespace kopiur::kafka {

enum class failure {
  absent,      ///< the broker knows no such topic
  unready,     ///< the broker does not serve it yet
  exists,      ///< there is one already
  denied,      ///< the login lacks a right
  unanswered,  ///< no answer in time, or no connection: the request may have been carried out
  refused      ///< any other answer that says no
};

struct error {
  failure kind = failure::refused;
  std::string message;  ///< a sentence; never with a secret
};
template <class T>
using outcome = std::expected<T, error>;

}  // namespace kopiur::kafka
