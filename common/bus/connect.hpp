#pragma once
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "common/bus/nats_options.hpp"

typedef struct __natsConnection natsConnection;
typedef struct __natsOptions natsOptions;

/// The part of connecting that blocks, and nats.c's options from ours.
namespace kopiur::bus {

namespace asio = boost::asio;

struct destroy_options {
  void operator()(natsOptions*) const;
};
using owned_options = std::unique_ptr<natsOptions, destroy_options>;

/// nats.c's options, with what 3.4.1 needs to behave: no ping timer, send at once, reconnect for ever. The error is a sentence.
std::expected<owned_options, std::string> make_options(nats_options const&);

struct connect_outcome {
  natsConnection* connection = nullptr;
  std::string problem;   ///< a sentence; empty when connected
  bool refused = false;  ///< the login or TLS is wrong: trying again does not help
};
/// Connects on a thread of its own, for it blocks (DNS, TCP, TLS, the login); resumes on the loop.
asio::awaitable<connect_outcome> connect_elsewhere(asio::io_context& loop, owned_options);

std::string join(std::vector<std::string> const& texts);

}  // namespace kopiur::bus
