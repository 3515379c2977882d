#pragma once
#include <expected>
#include <memory>
#include <string>

namespace boost::asio::ssl {
class context;
}

namespace kopiur::http {

/// Certificates that a client trusts in addition to the system's.
struct trust {
  std::string ca_file{};  ///< empty: none
  std::string ca_text{};  ///< PEM; empty: none
};
using certificates = std::shared_ptr<boost::asio::ssl::context>;

/// Reads the certificates once; connections share the result. The error is a sentence.
std::expected<certificates, std::string> load(trust const& what);
/// The same; throws std::runtime_error with the sentence without its point, which callers add.
certificates loaded(trust const& what);

}  // namespace kopiur::http
