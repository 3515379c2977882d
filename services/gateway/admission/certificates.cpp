#include "services/gateway/admission/certificates.hpp"

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>

#include "common/hash/stable_hash.hpp"
#include "services/gateway/core/seal.hpp"

namespace kopiur::gateway::kubernetes {

namespace {

template <auto Free>
struct freed {
  template <class T>
  void operator()(T* what) const {
    Free(what);
  }
};
using key_pointer = std::unique_ptr<EVP_PKEY, freed<::EVP_PKEY_free>>;
using certificate_pointer = std::unique_ptr<X509, freed<::X509_free>>;
using text_pointer = std::unique_ptr<BIO, freed<::BIO_free>>;
using extension_pointer = std::unique_ptr<X509_EXTENSION, freed<::X509_EXTENSION_free>>;
using store_pointer = std::unique_ptr<X509_STORE, freed<::X509_STORE_free>>;
using check_pointer = std::unique_ptr<X509_STORE_CTX, freed<::X509_STORE_CTX_free>>;

void must(bool done, char const* what) {
  if (done) return;
  std::array<char, 256> why{};
  ::ERR_error_string_n(::ERR_get_error(), why.data(), why.size());
  throw std::runtime_error(std::string("A certificate cannot be made: ") + what + " failed in OpenSSL (" + why.data() + ").");
}

text_pointer reading(std::string const& text) {
  text_pointer from(::BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  must(from != nullptr, "BIO_new_mem_buf");
  return from;
}
/// The next certificate of a text; none at its end, or when the next PEM block is something else.
certificate_pointer next_in(text_pointer const& from) {
  certificate_pointer found(::PEM_read_bio_X509(from.get(), nullptr, nullptr, nullptr));
  if (!found) ::ERR_clear_error();
  return found;
}
certificate_pointer first_in(std::string const& text) { return next_in(reading(text)); }
key_pointer key_in(std::string const& text) {
  key_pointer found(::PEM_read_bio_PrivateKey(reading(text).get(), nullptr, nullptr, nullptr));
  if (!found) ::ERR_clear_error();
  return found;
}

template <class Write>
std::string written(Write write, char const* what) {
  text_pointer cursor(::BIO_new(::BIO_s_mem()));
  must(cursor && write(cursor.get()) == 1, what);
  char* bytes = nullptr;
  auto length = ::BIO_get_mem_data(cursor.get(), &bytes);
  return {bytes, static_cast<std::size_t>(length)};
}
std::string text_of(X509* certificate) {
  return written([&](BIO* bio) { return ::PEM_write_bio_X509(bio, certificate); }, "PEM_write_bio_X509");
}
std::string text_of(EVP_PKEY* key) {
  auto write = [&](BIO* bio) { return ::PEM_write_bio_PKCS8PrivateKey(bio, key, nullptr, nullptr, 0, nullptr, nullptr); };
  return written(write, "PEM_write_bio_PKCS8PrivateKey");
}

std::time_t seconds(instant time) { return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count(); }
instant instant_of(ASN1_TIME const* time) {
  std::tm parts{};
  must(::ASN1_TIME_to_tm(time, &parts) == 1, "ASN1_TIME_to_tm");
  return instant(std::chrono::seconds(::timegm(&parts)));
}
validity validity_of(X509 const* certificate) {
  return {instant_of(::X509_get0_notBefore(certificate)), instant_of(::X509_get0_notAfter(certificate))};
}

void extend(X509* what, X509* issuer, int id, std::string const& text) {
  X509V3_CTX context;
  ::X509V3_set_ctx(&context, issuer, what, nullptr, nullptr, 0);
  extension_pointer made(::X509V3_EXT_conf_nid(nullptr, &context, id, text.c_str()));
  must(made && ::X509_add_ext(what, made.get(), -1) == 1, "X509V3_EXT_conf_nid");
}

/// A certificate without extensions and signature. Its serial number is random. An authority's name must be unique, or two authorities
/// could be confused.
certificate_pointer begun(EVP_PKEY* key, std::string const& name, X509 const* issuer, validity when) {
  certificate_pointer made(::X509_new());
  must(made && ::X509_set_version(made.get(), X509_VERSION_3) == 1, "X509_new");
  std::unique_ptr<BIGNUM, freed<::BN_free>> number(::BN_new());
  must(number && ::BN_rand(number.get(), 127, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) == 1, "BN_rand");
  must(::BN_to_ASN1_INTEGER(number.get(), ::X509_get_serialNumber(made.get())) != nullptr, "BN_to_ASN1_INTEGER");
  must(::ASN1_TIME_set(::X509_getm_notBefore(made.get()), seconds(when.from)) != nullptr, "ASN1_TIME_set");
  must(::ASN1_TIME_set(::X509_getm_notAfter(made.get()), seconds(when.until)) != nullptr, "ASN1_TIME_set");
  auto* subject = ::X509_get_subject_name(made.get());
  auto* bytes = reinterpret_cast<unsigned char const*>(name.data());
  must(::X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, bytes, static_cast<int>(name.size()), -1, 0) == 1, "X509_NAME");
  must(::X509_set_issuer_name(made.get(), issuer ? ::X509_get_subject_name(issuer) : subject) == 1, "X509_set_issuer_name");
  must(::X509_set_pubkey(made.get(), key) == 1, "X509_set_pubkey");
  return made;
}

key_pointer new_key() {
  key_pointer made(::EVP_EC_gen("P-256"));
  must(made != nullptr, "EVP_EC_gen");
  return made;
}
void sign(X509* what, EVP_PKEY* by) { must(::X509_sign(what, by, ::EVP_sha256()) > 0, "X509_sign"); }

}  // namespace

pem_pair new_authority(validity when) {
  auto key = new_key();
  auto made = begun(key.get(), "kopiur webhook authority " + hash::digest_hex({new_seal_secret()}, 16), nullptr, when);
  extend(made.get(), made.get(), NID_basic_constraints, "critical,CA:TRUE,pathlen:0");
  extend(made.get(), made.get(), NID_key_usage, "critical,keyCertSign");
  extend(made.get(), made.get(), NID_subject_key_identifier, "hash");
  sign(made.get(), key.get());
  return {text_of(made.get()), text_of(key.get())};
}

pem_pair new_certificate(pem_pair const& authority, std::vector<std::string> const& names, validity when) {
  auto issuer = first_in(authority.certificate);
  auto issuers_key = key_in(authority.key);
  must(issuer && issuers_key, "reading the authority");
  when.until = std::min(when.until, validity_of(issuer.get()).until);
  auto key = new_key();
  auto made = begun(key.get(), "kopiur webhook", issuer.get(), when);
  std::string all;
  for (auto const& name : names) all += (all.empty() ? "DNS:" : ",DNS:") + name;
  extend(made.get(), issuer.get(), NID_subject_alt_name, all);
  extend(made.get(), issuer.get(), NID_basic_constraints, "critical,CA:FALSE");
  extend(made.get(), issuer.get(), NID_key_usage, "critical,digitalSignature");
  extend(made.get(), issuer.get(), NID_ext_key_usage, "serverAuth");
  extend(made.get(), issuer.get(), NID_authority_key_identifier, "keyid:always");
  sign(made.get(), issuers_key.get());
  return {text_of(made.get()), text_of(key.get())};
}

std::vector<std::string> certificates_in(std::string const& text) {
  std::vector<std::string> found;
  auto from = reading(text);
  while (auto one = next_in(from)) found.push_back(text_of(one.get()));
  return found;
}

std::optional<validity> validity_of(std::string const& text) {
  auto first = first_in(text);
  return first ? std::optional(validity_of(first.get())) : std::nullopt;
}

bool belong_together(pem_pair const& pair) {
  auto first = first_in(pair.certificate);
  auto key = key_in(pair.key);
  bool fits = first && key && ::X509_check_private_key(first.get(), key.get()) == 1;
  ::ERR_clear_error();
  return fits;
}

bool is_taken(std::string const& certificate, std::string const& authorities, std::string const& name, instant time) {
  auto asked = first_in(certificate);
  store_pointer trusted(::X509_STORE_new());
  check_pointer check(::X509_STORE_CTX_new());
  if (!asked || !trusted || !check) return false;
  for (auto from = reading(authorities); auto one = next_in(from);) ::X509_STORE_add_cert(trusted.get(), one.get());
  bool begun = ::X509_STORE_CTX_init(check.get(), trusted.get(), asked.get(), nullptr) == 1;
  if (!begun) return false;
  auto* parameters = ::X509_STORE_CTX_get0_param(check.get());
  ::X509_VERIFY_PARAM_set_time(parameters, seconds(time));
  ::X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_SSL_SERVER);
  bool taken = ::X509_VERIFY_PARAM_set1_host(parameters, name.data(), name.size()) == 1 && ::X509_verify_cert(check.get()) == 1;
  ::ERR_clear_error();
  return taken;
}

}  // namespace kopiur::gateway::kubernetes
