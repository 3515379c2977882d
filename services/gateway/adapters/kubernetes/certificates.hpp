#pragma once
#include <optional>
#include <string>
#include <vector>

#include "common/time/instant.hpp"

/// Certificates by an authority of our own, for the webhook: ECDSA on P-256, by OpenSSL. Nothing here reads a file or a clock.
namespace kopiur::gateway::kubernetes {

/// A certificate, or several one after the other, and the key of the first; PEM. Empty: none.
struct pem_pair {
  std::string certificate, key;
  bool operator==(pem_pair const&) const = default;
};

/// From when on and until when somebody takes a certificate; whole seconds.
struct validity {
  instant from, until;
  bool holds(instant at) const { return from <= at && at < until; }
  bool operator==(validity const&) const = default;
};

/// A new authority, signed by itself. Throws std::runtime_error where OpenSSL cannot, here and below.
pem_pair new_authority(validity when);
/// A certificate of a server that is called by each of `names`, signed by `authority`; it does not outlive that.
pem_pair new_certificate(pem_pair const& authority, std::vector<std::string> const& names, validity when);

/// The certificates in a PEM text, each as a text of its own; what is none is left out.
std::vector<std::string> certificates_in(std::string const& text);
/// Of the first certificate in `text`; nothing where there is none.
std::optional<validity> validity_of(std::string const& text);
/// Whether `key` is that of the first certificate in `pair`.
bool belong_together(pem_pair const& pair);
/// Whether who trusts `authorities` takes `certificate` at that instant from a server that it calls `name`.
bool is_taken(std::string const& certificate, std::string const& authorities, std::string const& name, instant at);

}  // namespace kopiur::gateway::kubernetes
