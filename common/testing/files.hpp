#pragma once
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

/// Files of tests.
namespace kopiur::testing {

/// The whole content; empty if there is no such file.
inline std::string read_all(std::filesystem::path const& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

/// Makes a certificate of 127.0.0.1 (and of `more`: `,DNS:a.b`) that signs itself, and its key.
inline void make_certificate(std::filesystem::path const& certificate, std::filesystem::path const& key, std::string const& more = "") {
  auto make =
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=test -addext "
      "subjectAltName=IP:127.0.0.1" +
      more + " -keyout " + key.string() + " -out " + certificate.string() + " 2>/dev/null";
  if (std::system(make.c_str()) != 0) throw std::runtime_error("openssl made no certificate");
}

}  // namespace kopiur::testing
