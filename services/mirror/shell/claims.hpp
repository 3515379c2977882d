#pragma once
#include <optional>
#include <string>

#include "proto/events/command.hpp"
#include "proto/events/status.hpp"
#include "services/mirror/shell/decoded.hpp"
#include "services/mirror/shell/place.hpp"

/// What services say to the gateway: shares of status, and commands.
namespace kopiur::mirror {

/// A service's shares of the status of objects. A share is written when it says something new; the one made from the newest source wins, by
/// compare-and-set, whichever replica wrote it.
class claims {
 public:
  /// `shares`: the names of those that come after the first, see say().
  claims(place const& at, std::vector<std::string> const& shares);
  /// Follows what is written already, for ever.
  boost::asio::awaitable<void> run() { return said_.view().run(); }
  boost::asio::awaitable<void> until_ready() { return said_.view().until_ready(); }
  /// `share`: another share of the same service, merged after its first; empty for the first, else one of those that were named at the
  /// start.
  boost::asio::awaitable<void> say(proto::object_ref object, proto::status_claim claim, proto::source made_from, std::string share = {});

  /// What this service's share of the object says now, by the stream; nothing when it says nothing, or is about another uid.
  boost::asio::awaitable<std::optional<proto::status_claim>> said(proto::object_ref object);

 private:
  // What was said, by its hashes: it is asked only whether the same was said, for thousands of objects.
  struct wording {
    explicit wording(proto::status_claim of);
    proto::source made_from;
    std::size_t uid, rest;
  };
  boost::asio::awaitable<bus::result<bus::receipt>> write(std::string subject, proto::status_claim claim, std::uint64_t expected);

  place const at_;
  decoded<proto::status_claim, wording> said_;
};

/// A command on its way to the gateway.
struct sending {
  proto::gateway_command what;
  std::string key;       ///< with the verb its deterministic name
  duration again;        ///< asked again within this, it is the same message
  std::string run = {};  ///< whose trace it belongs to; empty: none
};
/// Sends it; one that is pending already is enough.
boost::asio::awaitable<void> send(place at, sending one);

}  // namespace kopiur::mirror
