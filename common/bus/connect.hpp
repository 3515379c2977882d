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

/// The blocking part of connecting, and the conversion of our options to nats.c's.
namespace kopiur::bus {

namespace asio = boost::asio;

struct destroy_options {
  std::unique_ptr<std::string> seed{};  ///< what the options sign with
  void operator()(natsOptions*) const;
};
using owned_options = std::unique_ptr<natsOptions, destroy_options>;

/// Converts our options to nats.c's. Settings that 3.4.1 needs: no ping timer, send at once, never reconnect (its issue 1007: in event-loop
/// mode its parser would continue in the middle of the old connection's data). `also` are additional servers. The error is a sentence.
std::expected<owned_options, std::string> make_options(nats_options const&, std::vector<std::string> const& also);

struct connect_outcome {
  natsConnection* connection = nullptr;
  std::string problem;   ///< a sentence; empty when connected
  bool refused = false;  ///< the login or TLS is wrong: trying again does not help
};
/// Connects on a separate thread, because connecting blocks (DNS, TCP, TLS, the login).
class connecting {
 public:
  connecting(asio::io_context& loop, owned_options);
  connecting(connecting const&) = delete;
  /// Waits for the thread: 2 s at most when no name has to be resolved.
  ~connecting();
  asio::awaitable<void> until_over();
  /// The outcome; call it once. Waits for the thread as the destructor does. The caller owns the connection.
  connect_outcome take();

 private:
  void run();

  asio::io_context& loop_;
  owned_options options_;
  connect_outcome outcome_;  // written by the thread until it ends
  std::shared_ptr<app::event> over_;
  bool is_over_ = false;  // used on the loop only
  std::mutex guard_;      // guards told_
  bool told_ = true;      // false: the loop may no longer exist
  std::thread thread_;
};

/// The servers of the cluster that this connection has discovered. Empty with TLS: servers announce each other by address, and a
/// certificate need not name its address.
std::vector<std::string> discovered_by(natsConnection*, nats_options const&);

}  // namespace kopiur::bus
