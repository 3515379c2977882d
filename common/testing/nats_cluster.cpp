#include "common/testing/nats_cluster.hpp"

#include <stdexcept>

namespace kopiur::testing {

namespace {

std::string name_of(std::size_t i) { return "n" + std::to_string(i); }

std::string cluster_config(std::size_t i, std::array<int, nats_cluster::size> const& ports) {
  std::string routes;
  for (auto port : ports) routes += (routes.empty() ? "" : ", ") + ("\"nats-route://127.0.0.1:" + std::to_string(port) + "\"");
  return "server_name: " + name_of(i) + "\ncluster { name: test, listen: \"127.0.0.1:" + std::to_string(ports[i]) + "\", routes: [ " +
         routes + "] }";
}

}  // namespace

nats_cluster::nats_cluster(std::size_t started) {
  std::array<int, size> ports{};
  for (auto& port : ports) port = free_port();
  for (std::size_t i = 0; i < size; ++i) {
    servers_[i] = std::make_unique<nats_server>(nats_server_options{.config = cluster_config(i, ports)});
    if (i >= started) servers_[i]->kill();
  }
}

nats_server& nats_cluster::named(std::string const& name) {
  for (std::size_t i = 0; i < size; ++i)
    if (name == name_of(i)) return *servers_[i];
  throw std::runtime_error("no server of this cluster is called " + name);
}

std::vector<std::string> nats_cluster::urls() const {
  std::vector<std::string> all;
  for (auto const& each : servers_) all.push_back(each->url());
  return all;
}

}  // namespace kopiur::testing
