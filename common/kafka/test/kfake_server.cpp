#include "common/kafka/test/kfake_server.hpp"

#include <boost/asio.hpp>
#include <cstdlib>
#include <sstream>

#include "common/http/client.hpp"
#include "common/json/codec.hpp"

namespace kopiur::kafka::test {

namespace asio = boost::asio;

namespace {

process::command command_for(std::vector<std::string> options) {
  auto* program = std::getenv("KOPIUR_KFAKE");
  if (!program) throw std::runtime_error("KOPIUR_KFAKE names no program: run `./dev setup`, which builds it.");
  process::command command{.arguments = {program}, .environment = {"HOME=/nonexistent"}, .directory = {}, .inherited = {}};
  command.arguments.insert(command.arguments.end(), options.begin(), options.end());
  return command;
}

}  // namespace

kfake_server::kfake_server(asio::any_io_executor loop, clock& time, std::vector<std::string> options)
    : time_(time), server_(std::move(loop), command_for(std::move(options))) {}

/// `bootstrap ADDRESS,ADDRESS control ADDRESS`
asio::awaitable<void> kfake_server::start() {
  std::string line;
  co_await asio::async_read_until(server_.out(), asio::dynamic_buffer(line), '\n', asio::use_awaitable);
  std::istringstream words(line);
  std::string word, addresses;
  words >> word >> addresses >> word >> control_;
  std::istringstream list(addresses);
  for (std::string one; std::getline(list, one, ',');) seeds_.push_back(one);
}

asio::awaitable<std::string> kfake_server::ask(std::string method, std::string target) {
  auto said =
      co_await http::send(time_, {.method = method, .url = "http://" + control_ + target, .headers = {}, .body = {}, .ca_file = {}});
  if (!said) throw std::runtime_error(said.error());
  if (said->status != 200) throw std::runtime_error("kfake: " + method + " " + target + ": " + said->body);
  co_return said->body;
}

asio::awaitable<std::map<std::string, served_topic>> kfake_server::topics() {
  auto read = json::read<std::map<std::string, served_topic>>(co_await ask("GET", "/topics"));
  if (!read) throw std::runtime_error(read.error().text());
  co_return std::move(*read);
}

asio::awaitable<std::map<std::string, int>> kfake_server::requests() {
  auto read = json::read<std::map<std::string, int>>(co_await ask("GET", "/requests"));
  if (!read) throw std::runtime_error(read.error().text());
  co_return std::move(*read);
}

}  // namespace kopiur::kafka::test
