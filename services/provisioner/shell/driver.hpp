#pragma once
#include <boost/asio/awaitable.hpp>
#include <memory>

#include "services/provisioner/core/decision.hpp"

/// The port to a backing service. Every failure is a value, with a sentence. All calls can be cancelled, and may be repeated.
namespace kopiur::provisioner {

class driver {
 public:
  template <class T>
  using answer = boost::asio::awaitable<std::variant<T, call_failed>>;
  using settled = boost::asio::awaitable<std::variant<alignment, drifted, call_failed>>;

  virtual ~driver() = default;
  /// `content`: whether to find out if it is empty, with older versions.
  virtual answer<buckety::inspection> inspect(std::string name, bool content) = 0;
  virtual answer<buckety::create_result> create(std::string name, buckety::parameters wanted) = 0;
  /// Whether its settings are as wanted. `writes`: makes them so (Same); else nothing is changed.
  virtual settled settle(std::string name, buckety::parameters wanted, bool writes) = 0;
  /// Deletes a part of its content, or the empty resource. One that does not exist is done.
  virtual answer<removal> remove(std::string name) = 0;
};

/// The driver of a backend.
using driver_maker = std::function<std::unique_ptr<driver>(buckety::backend const&)>;

}  // namespace kopiur::provisioner
