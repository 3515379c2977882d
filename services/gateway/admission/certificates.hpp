#pragma once
#include <optional>
#include <string>
#include <vector>

#include "common/time/instant.hpp"

/// Certificates of an authority of the gateway's own, for the webhook: ECDSA on P-256, by OpenSSL. Nothing here reads a file or a clock.
namespace kopiur::gateway::kubernetes {

/// A certificate or a chain, and the key of the first; PEM. Empty: none.
struct pem_pair {
  std::string certificate, key;
  bool operator==(pem_pair const&) const = default;
};

/// The period in which a certificate is valid; whole seconds.
struct validity {
  instant from, until;
  bool holds(instant time) const { return from <= time && time < until; }
  bool operator==(validity const&) const = default;
};

/// A new self-signed authority. Throws std::runtime_error when OpenSSL fails, here and below.
pem_pair new_authority(validity when);
/// A server certificate for each of `names`, signed by `authority`; it does not outlive the authority.
pem_pair new_certificate(pem_pair const& authority, std::vector<std::string> const& names, validity when);

/// The certificates in a PEM text, each as a separate text; other content is skipped.
std::vector<std::string> certificates_in(std::string const& text);
/// The period of the first certificate in `text`; nothing when there is none.
std::optional<validity> validity_of(std::string const& text);
/// Whether `key` belongs to the first certificate in `pair`.
bool belong_together(pem_pair const& pair);
/// Whether a client that trusts `authorities` accepts `certificate` at that instant from a server that it calls `name`.
bool is_taken(std::string const& certificate, std::string const& authorities, std::string const& name, instant time);

}  // namespace kopiur::gateway::kubernetes
