#include "common/http/trust.hpp"

#include <boost/asio.hpp>
#include <boost/asio/ssl/context.hpp>

namespace kopiur::http {

namespace asio = boost::asio;

std::expected<certificates, std::string> load(trust const& what) {
  auto tls = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_client);
  boost::system::error_code failed;
  auto refused = [&](std::string const& source) {
    return std::unexpected("The certificates " + source + " cannot be used: " + failed.message() + ". Give a PEM with certificates.");
  };
  tls->set_default_verify_paths();
  if (!what.ca_file.empty()) tls->load_verify_file(what.ca_file, failed);
  if (failed) return refused("in " + what.ca_file);
  if (!what.ca_text.empty()) tls->add_certificate_authority(asio::buffer(what.ca_text), failed);
  if (failed) return refused("of the setting");
  tls->set_verify_mode(asio::ssl::verify_peer);
  return tls;
}

certificates loaded(trust const& what) {
  auto read = load(what);
  if (!read) throw std::runtime_error(read.error().substr(0, read.error().size() - 1));
  return std::move(*read);
}

}  // namespace kopiur::http
