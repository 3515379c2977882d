#pragma once
#include <boost/asio.hpp>
#include <functional>
#include <map>

#include "common/app/async.hpp"
#include "common/app/system_clock.hpp"
#include "common/kubernetes/client.hpp"

/// A load on the API of a cluster, and what is seen of its effects.
namespace kopiur::bench {

namespace asio = boost::asio;
using kubernetes::awaitable;
using kubernetes::call;
using steady = std::chrono::steady_clock;

/// One client of the API, and its loop's clock.
struct bench_api {
  bench_api(asio::io_context& loop, std::string const& kubeconfig);
  /// Sends a request; throws when the API refuses it.
  awaitable<json::value> must(call what);

  app::system_clock time;
  kubernetes::client client;
};

/// Calls `act(0)` to `act(count - 1)`, `clients` of them at a time.
awaitable<void> by_clients(int clients, int count, std::function<awaitable<void>(int)> act);
double seconds_since(steady::time_point from);

/// The words of a command line behind its first ones: `name=number`.
class numbers {
 public:
  /// Throws std::runtime_error with `usage` when a word is something else.
  numbers(int from, int count, char** words, char const* usage);
  bool has(std::string const& name) const { return all_.contains(name); }
  int of(std::string const& name, int otherwise) const;

 private:
  std::map<std::string, int> all_;
};

/// When each object was requested, and when what it is waited for was seen.
class sightings {
 public:
  explicit sightings(asio::any_io_executor const& loop) : changed_(loop) {}
  void asked(std::string name) { asked_.emplace(std::move(name), steady::now()); }
  void seen(std::string const& name);
  awaitable<void> until(std::size_t count);
  /// The longest wait in milliseconds of this share of them.
  double within(double share) const;
  /// From the first request to the last sighting.
  double seconds() const;

 private:
  std::map<std::string, steady::time_point> asked_, seen_;
  app::event changed_;
};

/// The current resourceVersion of a collection.
awaitable<std::string> version_at(bench_api& api, std::string path);
/// Watches forever: the server ends the watch of a client that falls behind, and this continues from there. A reflector would start with a
/// list of thousands of objects in the middle of the measurement.
awaitable<void> watch(bench_api& api, std::string path, std::string version, std::function<void(json::value const&)> tell);

}  // namespace kopiur::bench
