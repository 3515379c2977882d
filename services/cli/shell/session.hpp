#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <string>

#include "common/app/system_clock.hpp"
#include "common/bus/view.hpp"
#include "proto/events/command.hpp"
#include "services/cli/shell/verbs.hpp"
#include "services/controller/core/objects.hpp"

/// One call's connection to a running kopiur.
namespace kopiur::cli {

class session {
 public:
  using task = boost::asio::awaitable<void>;

  session(bus::port& bus, clock& time, boost::asio::any_io_executor loop, std::string cluster);

  bus::port& bus() { return bus_; }
  clock& time() { return time_; }
  instant now() const { return time_.now(); }
  std::string const& cluster() const { return cluster_; }

  /// Follows the mirror until it is cancelled.
  task run() { return view_.run(); }
  /// Returns once all objects are known; throws a complaint after 10 s.
  task until_listed();
  /// Returns at the next change of any object, or after `limit`.
  task changed(duration limit);

  controller::objects const& objects() const { return objects_; }
  /// Objects of one kind as they are on the bus; and one of them (null: it does not exist).
  std::vector<json::value> documents(std::string_view kind, selection const& which) const;
  json::value document(proto::object_ref const& object) const;

  /// Sends a command to the gateway and waits for the answer; throws a complaint when none arrives within 30 s.
  boost::asio::awaitable<proto::answer> ask(proto::gateway_command command);
  /// The same; throws a complaint when the answer is not Ok.
  boost::asio::awaitable<proto::answer> demand(proto::gateway_command command, std::string what);

 private:
  bus::port& bus_;
  clock& time_;
  boost::asio::any_io_executor loop_;
  std::string cluster_;
  bus::view view_;
  controller::objects objects_;
  app::event changed_;
};

using session_body = std::function<boost::asio::awaitable<int>(session&)>;
/// Connects, runs the body, closes. When kopiur is not running: a sentence, and exit code 3.
int with_session(settings const& settings, session_body body);

/// A text that no other call uses: for ids of requests and keys of commands.
std::string unique_text();

}  // namespace kopiur::cli
