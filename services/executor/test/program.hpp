#pragma once
#include <gtest/gtest.h>

#include <boost/asio/ssl/context.hpp>
#include <filesystem>
#include <fstream>
#include <list>
#include <map>

#include "common/app/async.hpp"
#include "common/http/attend.hpp"
#include "common/process/child.hpp"
#include "common/testing/files.hpp"
#include "common/testing/folder.hpp"
#include "common/testing/run.hpp"

/// Runs the real kopiur-executor.
namespace kopiur::executor::test {

namespace asio = boost::asio;
namespace fs = std::filesystem;

/// How it ended, and what it said.
struct printed {
  int status = -1;
  std::string out, err, termination_log;
};

using testing::read_all;

/// A server of the test's own, on a free port, which takes the place of `{port}` in arguments and variables.
struct stand_in {
  http::answering answer{};  ///< empty: there is none
  std::shared_ptr<asio::ssl::context> tls{};
  std::uint64_t longest = 1 << 20;  ///< length of a request, in bytes
  /// Instead of `answer`: what becomes of a connection.
  std::function<asio::awaitable<void>(asio::ip::tcp::socket)> raw{};
};
/// One that has an address and a port of its own.
struct placed {
  std::string ip;
  std::uint16_t port = 0;
  stand_in server;
};

/// TLS with a new certificate of 127.0.0.1 (and of `more`: `,DNS:a.b`) that signs itself; it stays in the file.
inline std::shared_ptr<asio::ssl::context> make_tls(fs::path const& certificate, std::string const& more = "") {
  auto key = certificate.string() + ".key";
  testing::make_certificate(certificate, key, more);
  auto tls = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_server);
  tls->use_certificate_chain_file(certificate);
  tls->use_private_key_file(key, asio::ssl::context::pem);
  return tls;
}

class Program : public ::testing::Test {
 protected:
  /// Runs the program to its end, beside the stand-in.
  printed run(std::vector<std::string> arguments, std::map<std::string, std::string> variables = {}, stand_in server = {}) {
    auto log = folder_ / "termination-log";
    std::ofstream(log) << "old";
    variables["KOPIUR_TERMINATION_LOG"] = log;
    arguments.insert(arguments.begin(), program_);
    printed result;
    testing::run([&](asio::io_context& loop) -> asio::awaitable<void> {
      asio::ip::tcp::acceptor door(loop, {asio::ip::make_address("127.0.0.1"), 0});
      auto port = std::to_string(door.local_endpoint().port());
      app::nursery guests(loop.get_executor());
      if (server.answer || server.raw) guests.spawn(serve(door, guests, server));
      std::list<asio::ip::tcp::acceptor> doors;
      for (auto& each : beside_) {
        doors.emplace_back(loop, asio::ip::tcp::endpoint{asio::ip::make_address(each.ip), each.port});
        guests.spawn(serve(doors.back(), guests, each.server));
      }
      co_await follow(loop, command_of(arguments, variables, port), result);
      guests.cancel();
      co_await guests.join();
    });
    result.termination_log = read_all(log);
    return result;
  }

  testing::folder folder_;
  pid_t pid_ = -1;                             // of the running program
  std::vector<placed> beside_;                 // run beside the program
  std::function<void(printed const&)> heard_;  // called with what it has said so far
  std::string program_ = std::string(std::getenv("KOPIUR_BIN") ? std::getenv("KOPIUR_BIN") : "build/release/bin") + "/kopiur-executor";

 private:
  static std::string with_port(std::string text, std::string const& port) {
    if (auto found = text.find("{port}"); found != text.npos) text.replace(found, 6, port);
    return text;
  }
  static process::command command_of(std::vector<std::string> const& arguments, std::map<std::string, std::string> const& variables,
                                     std::string const& port) {
    process::command command;
    for (auto& each : arguments) command.arguments.push_back(with_port(each, port));
    for (auto& [name, value] : variables) command.environment.push_back(name + "=" + with_port(value, port));
    return command;
  }
  static asio::awaitable<void> serve(asio::ip::tcp::acceptor& door, app::nursery& guests, stand_in server) {
    for (;;) {
      auto guest = co_await door.async_accept(asio::use_awaitable);
      if (server.raw)
        guests.spawn(server.raw(std::move(guest)));
      else
        guests.spawn(http::attend(std::move(guest), server.answer, {.tls = server.tls, .longest = server.longest}));
    }
  }
  asio::awaitable<void> follow(asio::io_context& loop, process::command command, printed& result) {
    process::child child(loop.get_executor(), command);
    pid_ = child.id();
    app::nursery readers(loop.get_executor());
    readers.spawn(process::drain(child.out(), [&](std::string_view bytes) {
      result.out += bytes;
      if (heard_) heard_(result);
    }));
    readers.spawn(process::drain(child.err(), [&](std::string_view bytes) {
      result.err += bytes;
      if (heard_) heard_(result);
    }));
    co_await readers.join();
    auto end = co_await child.wait();
    result.status = end.signal ? 128 + end.signal : end.code;
  }
};

}  // namespace kopiur::executor::test
