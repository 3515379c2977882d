#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/bus/session.hpp"

namespace kopiur::bus {

/// Stores a message; see port::publish. Tried again under the same id while the answer is lost or the stream has no leader. A lost
/// compare-and-set on a later try may be our own earlier one: then it is a success.
asio::awaitable<result<receipt>> publish(std::shared_ptr<session>, publication);

/// The last message on a subject, by the stream's leader.
asio::awaitable<result<std::optional<stored>>> last(session&, std::string const& stream, std::string const& subject);
/// One message, by the stream's leader.
asio::awaitable<result<std::optional<stored>>> at(session&, std::string const& stream, std::uint64_t sequence);

}  // namespace kopiur::bus
