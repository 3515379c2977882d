#pragma once
#include <optional>
#include <string>

#include "proto/events/command.hpp"
#include "proto/events/status.hpp"
#include "services/controller/shell/service_context.hpp"
#include "services/controller/shell/typed_view.hpp"

/// What services send to the gateway: status fragments and commands.
namespace kopiur::controller {

/// A replica that knows less than another one has caught up after this time.
inline constexpr duration until_seen{1'000};

/// Writes a service's status fragments of objects. A fragment is written only when its content is new. By compare-and-set the one from the
/// newest source wins, whichever replica wrote it.
class status_reporter {
 public:
  /// `parts`: the names of further fragments, see report().
  status_reporter(service_context const& context, std::vector<std::string> const& parts);
  /// Follows what is already written; ends only by cancellation or failure.
  boost::asio::awaitable<void> run() { return reported_.view().run(); }
  boost::asio::awaitable<void> until_ready() { return reported_.view().until_ready(); }
  /// False: another replica's fragment is made from something newer, or was written at the same time, so nothing was written; the caller
  /// decides again `until_seen` later.
  ///
  /// `part`: a further fragment of the same service, merged after the first; empty for the first, else one of the names given to the
  /// constructor.
  boost::asio::awaitable<bool> report(proto::object_ref object, proto::status_fragment fragment, proto::source made_from,
                                      std::string part = {});

 private:
  // Reported fragments as hashes, to save memory: they are only compared.
  struct digest {
    explicit digest(proto::status_fragment fragment);
    proto::source made_from;
    std::size_t uid, rest;
  };
  boost::asio::awaitable<bus::result<bus::receipt>> write(std::string subject, proto::status_fragment fragment, std::uint64_t expected);

  service_context const context_;
  typed_view<proto::status_fragment, digest> reported_;
};

/// A command to the gateway.
struct outgoing_command {
  proto::gateway_command what;
  std::string key;       ///< with the verb, the deterministic name
  duration again;        ///< a repetition within this time is the same message
  std::string run = {};  ///< the run whose trace it belongs to; empty: none
};
/// Sends it. If the same command is already pending, that is enough.
boost::asio::awaitable<void> send(service_context context, outgoing_command one);

}  // namespace kopiur::controller
