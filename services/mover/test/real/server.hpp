#pragma once
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio.hpp>
#include <optional>

#include "common/process/child.hpp"
#include "services/mover/test/real/lab.hpp"

/// Real servers for the mover's tests, on an address that is private to the test process.
namespace kopiur::mover::test {

/// A loopback address that no other test process uses: a free port on it stays free until our server binds it.
inline std::uint32_t own_address() { return 0x7f000000U | (static_cast<std::uint32_t>(::getpid()) & 0xffffffU) | 1U << 23U; }

inline std::string own_host() {
  in_addr address{htonl(own_address())};
  char text[INET_ADDRSTRLEN] = {};
  return ::inet_ntop(AF_INET, &address, text, sizeof text);
}

inline int free_port() {
  int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{.sin_family = AF_INET, .sin_addr = {htonl(own_address())}};
  socklen_t size = sizeof address;
  ::bind(fd, reinterpret_cast<sockaddr*>(&address), size);
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(fd);
  return ntohs(address.sin_port);
}

inline bool answers(int port) {
  int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{.sin_family = AF_INET, .sin_port = htons(static_cast<std::uint16_t>(port)), .sin_addr = {htonl(own_address())}};
  bool yes = ::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  ::close(fd);
  return yes;
}

/// A real server on our loopback address, for as long as the object lives.
class server {
 public:
  server(std::vector<std::string> arguments, variables const& environment, int port, fs::path const& log) {
    process::command command{.arguments = {"/bin/sh", "-c", "exec \"$@\" > " + log.string() + " 2>&1", "sh"}};
    command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
    for (auto const& [name, value] : environment) command.environment.push_back(name + "=" + value);
    child_.emplace(loop_.get_executor(), command);
    for (int i = 0; i < 3000 && !answers(port); ++i) ::usleep(10'000);
    EXPECT_TRUE(answers(port)) << read_all(log);
  }

 private:
  boost::asio::io_context loop_;
  std::optional<process::child> child_;
};

}  // namespace kopiur::mover::test
