#pragma once
#include <sys/types.h>

#include <string>

#include "common/testing/folder.hpp"

namespace kopiur::testing {

struct nats_server_options {
  std::string program;  ///< empty = KOPIUR_NATS_SERVER, else `nats-server` from PATH
  std::string user, password;
  std::string config;  ///< lines added to the configuration, verbatim
};

/// A port that was free just now, from below those that the kernel gives to others.
int free_port();

/// A real nats-server with JetStream: a child process of this test, on 127.0.0.1, with its store in a temporary folder. Blocks; throws
/// std::runtime_error with a sentence when it cannot start. The destructor ends the child and deletes the folder.
class nats_server {
 public:
  explicit nats_server(nats_server_options = {});
  nats_server(nats_server const&) = delete;
  ~nats_server();

  /// `nats://127.0.0.1:<port>`, without the login. The port stays the same over restarts; before the first start it was free.
  std::string url() const { return "nats://127.0.0.1:" + std::to_string(port_); }
  int port() const { return port_; }
  /// Starts on the same store and port; returns once it listens.
  void start();
  /// Ends it as an operator would; returns once it has exited.
  void stop();
  /// kill -9.
  void kill();
  /// The login that the server requires from the next start on.
  void set_login(std::string user, std::string password);
  /// SIGSTOP: it keeps its connections and sends nothing, until thaw().
  void freeze();
  void thaw();
  bool running() const { return child_ != 0; }
  std::string log() const;

 private:
  void end(int signal);
  void write_config() const;
  void await_start();

  nats_server_options options_;
  folder folder_;
  int port_ = 0;
  pid_t child_ = 0;
};

}  // namespace kopiur::testing
