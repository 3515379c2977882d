#pragma once
#include <boost/describe.hpp>
#include <string>

namespace kopiur::gateway {

/// Settings of the gateway with the local adapter.
struct options {
  std::string cluster = "local";       ///< the token in subjects
  std::string data = "kopiur-data";    ///< data folder, ours alone
  std::string manifests;               ///< folder of manifests, only read; empty: none
  std::string mover = "kopiur-mover";  ///< the mover's program, searched in PATH when it has no slash
  bool restore_by_request = false;     ///< whether outsiders may ask for restores
};
BOOST_DESCRIBE_STRUCT(options, (), (cluster, data, manifests, mover, restore_by_request))

}  // namespace kopiur::gateway
