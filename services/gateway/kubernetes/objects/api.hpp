#pragma once
#include "common/kubernetes/client.hpp"
#include "common/kubernetes/optional_collection.hpp"
#include "services/gateway/core/names.hpp"

/// The names of common/kubernetes that this directory uses.
namespace kopiur::gateway::kubernetes {

using kopiur::kubernetes::access, kopiur::kubernetes::from_kubeconfig, kopiur::kubernetes::from_pod;
using kopiur::kubernetes::call, kopiur::kubernetes::client, kopiur::kubernetes::items_of;
using kopiur::kubernetes::collection, kopiur::kubernetes::optional_collection, kopiur::kubernetes::reflector;
using kopiur::kubernetes::error, kopiur::kubernetes::failure, kopiur::kubernetes::result;
using kopiur::kubernetes::path_of, kopiur::kubernetes::resource;

namespace asio = boost::asio;
using kopiur::kubernetes::awaitable;

}  // namespace kopiur::gateway::kubernetes
