#pragma once
#include <memory>

#include "common/kubernetes/access.hpp"

namespace boost::asio::ssl {
class context;
}

namespace kopiur::kubernetes {

/// Trusted authorities and the client certificate, for all connections; throws std::runtime_error with a sentence for an invalid
/// certificate or key.
std::shared_ptr<boost::asio::ssl::context> tls_of(access const& who);

}  // namespace kopiur::kubernetes
