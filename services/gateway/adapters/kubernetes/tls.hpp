#pragma once
#include <memory>

#include "services/gateway/adapters/kubernetes/access.hpp"

namespace boost::asio::ssl {
class context;
}

namespace kopiur::gateway::kubernetes {

/// Whom we trust and who we are, for all connections; throws std::runtime_error with a sentence when a certificate or key is none.
std::shared_ptr<boost::asio::ssl::context> tls_of(access const& who);

}  // namespace kopiur::gateway::kubernetes
