#pragma once
#include <boost/asio.hpp>
#include <map>
#include <optional>

#include "common/process/child.hpp"
#include "common/testing/folder.hpp"

/// Real S3 servers on loopback, as child processes of a test.
namespace kopiur::blob::test {

enum class kind { versitygw, minio };

struct server_options {
  std::vector<std::string> arguments{};              ///< of versitygw, before its command
  std::vector<std::string> posix{};                  ///< of versitygw's command
  std::map<std::string, std::string> environment{};  ///< of MinIO
  std::string scheme = "http";
};

/// A server with an empty store. Blocks until it listens; throws std::runtime_error with a sentence.
class s3_server {
 public:
  explicit s3_server(kind which, server_options options = {});

  std::string url() const { return options_.scheme + "://127.0.0.1:" + std::to_string(port_); }
  int port() const { return port_; }
  pid_t id() const { return child_->id(); }
  /// Ends it at once, and starts it again on the same store and port.
  void restart();
  std::string log() const;

  static constexpr char const* access_key = "storekey";
  static constexpr char const* secret_key = "hunter2-store-secret";

 private:
  void start();
  bool listens() const;

  kind kind_;
  server_options options_;
  testing::folder folder_;
  int port_;
  boost::asio::io_context loop_;
  std::optional<process::child> child_;
};

}  // namespace kopiur::blob::test
