#include <boost/asio.hpp>
#include <cstdlib>
#include <iostream>

#include "common/app/system_clock.hpp"
#include "common/kubernetes/collection.hpp"

/// Prints each pod of a cluster and each change, as `namespace/name phase`: watch_pods [--kubeconfig FILE].
namespace {

namespace asio = boost::asio;
namespace kubernetes = kopiur::kubernetes;
using kopiur::json::value;

/// From the kubeconfig that --kubeconfig or KUBECONFIG names, else for the pod that this runs in.
std::expected<kubernetes::access, std::string> access_by(int count, char** arguments) {
  if (count == 3 && std::string_view(arguments[1]) == "--kubeconfig") return kubernetes::from_kubeconfig(arguments[2]);
  if (count != 1) return std::unexpected("Usage: watch_pods [--kubeconfig FILE]");
  auto* file = std::getenv("KUBECONFIG");
  return file ? kubernetes::from_kubeconfig(file) : kubernetes::from_pod();
}

void print(std::string_view ns, std::string_view name, std::string_view phase) {
  std::cout << ns << '/' << name << ' ' << phase << std::endl;
}

/// All pods, then every change; it ends by an exception only.
kubernetes::awaitable<void> watch_pods(kubernetes::client& api, kopiur::clock& time) {
  auto exists = [](value const& pod) { print(pod.text("metadata.namespace"), pod.text("metadata.name"), pod.text("status.phase")); };
  auto gone = [](kubernetes::object_key const& pod, std::string const&) { print(pod.namespace_, pod.name, "deleted"); };
  auto failed = [](kubernetes::error const& why) { std::cerr << why.message << std::endl; };
  kubernetes::collection pods(api, time, {.resource = kubernetes::pods, .told = failed}, {.is = exists, .gone = gone});
  co_await pods.run();
}

}  // namespace

int main(int count, char** arguments) {
  auto access = access_by(count, arguments);
  if (!access) return std::cerr << access.error() << std::endl, 1;
  try {
    asio::io_context loop(1);
    kopiur::app::system_clock time(loop.get_executor());
    kubernetes::client api(time, loop.get_executor(), std::move(*access));
    asio::co_spawn(loop, watch_pods(api, time), [](std::exception_ptr failed) {
      if (failed) std::rethrow_exception(failed);
    });
    loop.run();
  } catch (std::exception const& failed) {
    return std::cerr << failed.what() << std::endl, 1;
  }
}
