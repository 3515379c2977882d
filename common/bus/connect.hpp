#pragma once
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <expected>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "common/app/async.hpp"
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

/// nats.c's options, with what 3.4.1 needs to behave: no ping timer, send at once, never reconnect (its issue 1007: in event-loop mode it
/// would go on in the middle of what the old connection was about to say). `also` are more servers. The error is a sentence.
std::expected<owned_options, std::string> make_options(nats_options const&, std::vector<std::string> const& also);

struct connect_outcome {
  natsConnection* connection = nullptr;
  std::string problem;   ///< a sentence; empty when connected
  bool refused = false;  ///< the login or TLS is wrong: trying again does not help
};
/// Connecting, on a thread of its own, for it blocks (DNS, TCP, TLS, the login).
class connecting {
 public:
  connecting(asio::io_context& loop, owned_options);
  connecting(connecting const&) = delete;
  /// Waits for the thread, 2 s at most where no name has to be looked up.
  ~connecting();
  asio::awaitable<void> until_over();
  /// What came of it, once; waits for the thread as the destructor does. The connection is the caller's.
  connect_outcome take();

 private:
  void run();

  asio::io_context& loop_;
  owned_options options_;
  connect_outcome outcome_;  // of the thread, until it has ended
  std::shared_ptr<app::event> over_;
  bool is_over_ = false;  // on the loop
  std::mutex guard_;      // of told_
  bool told_ = true;      // false: the loop may be gone
  std::thread thread_;
};

/// The servers of the cluster that this connection was told of. None under TLS: they are told by address, which their certificates need
/// not name.
std::vector<std::string> discovered_by(natsConnection*, nats_options const&);

}  // namespace kopiur::bus
