#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/bus/session.hpp"

namespace kopiur::bus {

/// Stores a message; see port::publish. Retries under the same id while the answer is lost or the stream has no leader. When a retry loses
/// the compare-and-set to our own earlier try, it is a success.
asio::awaitable<result<receipt>> publish(std::shared_ptr<session>, publication);

/// The last message on a subject, as the stream's leader has it.
asio::awaitable<result<std::optional<stored>>> last(session&, std::string const& stream, std::string const& subject);
/// One message, as the stream's leader has it.
asio::awaitable<result<std::optional<stored>>> at(session&, std::string const& stream, std::uint64_t sequence);

}  // namespace kopiur::bus
