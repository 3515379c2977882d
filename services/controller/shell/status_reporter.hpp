#pragma once
#include <optional>
#include <string>

#include "proto/events/command.hpp"
#include "proto/events/status.hpp"
#include "services/controller/shell/service_context.hpp"
#include "services/controller/shell/typed_view.hpp"

/// What services tell the gateway: fragments of status, and commands.
namespace kopiur::controller {

/// Writes a service's fragments of the status of objects. A fragment is written when it says something new; the one made from the newest
/// source wins, by compare-and-set, whichever replica wrote it.
class status_reporter {
 public:
  /// `parts`: the names of the further fragments, see report().
  status_reporter(service_context const& at, std::vector<std::string> const& parts);
  /// Follows what is already written; ends only by cancellation or failure.
  boost::asio::awaitable<void> run() { return reported_.view().run(); }
  boost::asio::awaitable<void> until_ready() { return reported_.view().until_ready(); }
  /// `part`: a further fragment of the same service, merged after its first; empty for the first, else one of the names that the
  /// constructor was given.
  boost::asio::awaitable<void> report(proto::object_ref object, proto::status_fragment fragment, proto::source made_from,
                                      std::string part = {});

  /// What this service's first fragment of the object says now, by the stream; nothing where there is none, or it is about another uid.
  boost::asio::awaitable<std::optional<proto::status_fragment>> reported(proto::object_ref object);

 private:
  // What was reported, as hashes: for thousands of objects it is only compared.
  struct digest {
    explicit digest(proto::status_fragment of);
    proto::source made_from;
    std::size_t uid, rest;
  };
  boost::asio::awaitable<bus::result<bus::receipt>> write(std::string subject, proto::status_fragment fragment, std::uint64_t expected);

  service_context const at_;
  typed_view<proto::status_fragment, digest> reported_;
};

/// A command to the gateway.
struct outgoing_command {
  proto::gateway_command what;
  std::string key;       ///< with the verb its deterministic name
  duration again;        ///< asked again within this, it is the same message
  std::string run = {};  ///< whose trace it belongs to; empty: none
};
/// Sends it; where the same one is pending already, that is enough.
boost::asio::awaitable<void> send(service_context at, outgoing_command one);

}  // namespace kopiur::controller
