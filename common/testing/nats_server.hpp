#pragma once
#include <sys/types.h>

#include <string>

#include "common/testing/folder.hpp"

namespace kopiur::testing {

struct nats_server_options {
  std::string program;  ///< empty = KOPIUR_NATS_SERVER, else `nats-server` from PATH
  std::string user, password;
  std::string config;  ///< lines to add to the configuration, as they are
};

/// A port that was free a moment ago: the kernel gives it, and gives it to nobody else soon.
int free_port();

/// A real nats-server with JetStream, a child of this test, on 127.0.0.1 with its store in a folder of its own. Blocks; throws
/// std::runtime_error with a sentence where it cannot start. Its child and folder go with it.
class nats_server {
 public:
  explicit nats_server(nats_server_options = {});
  nats_server(nats_server const&) = delete;
  ~nats_server();

  /// `nats://127.0.0.1:<port>`, without the login. The port stays over restarts; before the first start it is one that was free.
  std::string url() const { return "nats://127.0.0.1:" + std::to_string(port_); }
  int port() const { return port_; }
  /// Starts on the same store and port; returns once it listens.
  void start();
  /// Ends it as an operator would; returns once it is gone.
  void stop();
  /// kill -9.
  void kill();
  /// The login that the next start asks for.
  void set_login(std::string user, std::string password);
  /// It holds its connections and says nothing (SIGSTOP), until thaw().
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
