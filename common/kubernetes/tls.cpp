#include "common/kubernetes/tls.hpp"

#include <boost/asio.hpp>
#include <boost/asio/ssl/context.hpp>

namespace kopiur::kubernetes {

namespace asio = boost::asio;

std::shared_ptr<asio::ssl::context> tls_of(access const& who) {
  auto tls = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_client);
  auto what = "the authority's certificate";
  try {
    if (who.authority.empty())
      tls->set_default_verify_paths();
    else
      tls->add_certificate_authority(asio::buffer(who.authority));
    what = "the client's certificate";
    if (!who.certificate.empty()) tls->use_certificate_chain(asio::buffer(who.certificate));
    what = "the client's key";
    if (!who.key.empty()) tls->use_private_key(asio::buffer(who.key), asio::ssl::context::pem);
  } catch (boost::system::system_error const& e) {
    throw std::runtime_error("The access to " + who.server + " cannot be used: " + what + " is not a PEM that OpenSSL takes (" +
                             e.code().message() + ").");
  }
  tls->set_verify_mode(asio::ssl::verify_peer);
  return tls;
}

}  // namespace kopiur::kubernetes
