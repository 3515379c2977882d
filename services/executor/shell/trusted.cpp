#include "services/executor/shell/trusted.hpp"

namespace kopiur::executor {

std::expected<http::certificates, std::string> trusted_by(std::string const& ca_file) {
  if (ca_file.empty()) return http::certificates();
  return http::load({.ca_file = ca_file});
}

}  // namespace kopiur::executor
