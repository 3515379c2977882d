#pragma once
#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string>

#include "common/bus/port.hpp"
#include "common/json/value.hpp"

namespace kopiur::bus {

class session;

/// `api.level` of the oldest server that supports what the port promises: 1 = 2.11. Older ones silently drop what they do not know (a TTL,
/// a filter list), so the level decides, not the version text.
inline constexpr int floor_level = 1;

/// The smallest `max_payload` of an accepted server: NATS's own default. The gateway publishes a stub for an object that does not fit.
inline constexpr std::size_t floor_payload = 1 << 20;

/// The level in the answer of `$JS.API.INFO`; 0 when it is absent (up to 2.10). Pure.
int level_of(json::value const& info);
/// Why a server of that level is refused, as one sentence with the remedy; nothing when it is new enough. `version` may be empty. Pure.
std::optional<std::string> refusal_of(int level, std::string const& version);
/// The same for a server that accepts messages of that many bytes. Pure.
std::optional<std::string> too_narrow(std::size_t max_payload);
/// The version in a server's greeting, `INFO {"version":"2.9.10",..}`; empty when there is none. Pure.
std::string version_in(std::string_view greeting);

/// Checks the server that the session is connected to; the error says why it is unusable.
asio::awaitable<result<void>> probe(session&);

}  // namespace kopiur::bus
