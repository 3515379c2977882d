#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <map>
#include <string>

namespace kopiur::http {

struct page {
  int status = 200;
  std::string body, type = "text/plain; charset=utf-8";
};
/// The pages by path. Each request calls the function on the loop; it must not wait.
using pages = std::map<std::string, std::function<page()>>;

/// Serves GET of a few small pages (health, metrics) on `address` (`127.0.0.1:8080`, `:8080` for all addresses; port 0: the kernel chooses
/// one). Reports the port to `listening`, and to `report` a sentence when connections cannot be accepted. Ends by cancellation; throws
/// std::runtime_error with a sentence when the address is unavailable.
boost::asio::awaitable<void> serve(
    std::string address, pages what, std::function<void(int port)> listening = [](int) {}, std::function<void(std::string)> report = {});

}  // namespace kopiur::http
