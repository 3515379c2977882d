#include "services/systems/buckety/s3/parameters.hpp"

#include "common/encoding/join.hpp"
#include "services/systems/buckety/rules/parameter_keys.hpp"

namespace kopiur::buckety::s3 {
namespace {

std::string refuse_key(std::string const& key) {
  auto known = keys_of<bucket_parameters>();
  return unknown_parameter(key, config::nearest(key, known), "The driver s3 has: " + encoding::join(known) + ".");
}

std::expected<bool, std::string> parse_versioning(std::string const& text) {
  if (text == "true" || text == "false") return text == "true";
  return std::unexpected("must be exactly true or false.");
}

std::expected<std::string, std::string> parse_jurisdiction(std::string const& text, backend_config const& config) {
  if (config.implementation != "r2")
    return std::unexpected("jurisdiction needs a backend with `implementation: r2`, and this one has " +
                           config.implementation.value_or("none") + ". Remove it, or choose another backend.");
  if (text == "eu") return text;
  return std::unexpected("jurisdiction must be eu; leave it out for the global default.");
}

}  // namespace

std::expected<wanted_bucket, refusals> parse_parameters(backend_config const& config, parameters const& wanted) {
  wanted_bucket bucket;
  refusals refused;
  for (auto& [key, value] : wanted) {
    if (key == "versioning")
      take(key, parse_versioning(value), bucket.versioning, refused);
    else if (key == "lifecycle")
      take(key, parse_lifecycle(value), bucket.lifecycle, refused);
    else if (key == "jurisdiction")
      take(key, parse_jurisdiction(value, config), bucket.jurisdiction, refused);
    else
      refused.emplace(key, refuse_key(key));
  }
  if (!refused.empty()) return std::unexpected(std::move(refused));
  return bucket;
}

refusals validate_parameters(driver_config const& config, parameters const& wanted) {
  auto read = parse_parameters(std::get<backend_config>(config), wanted);
  return read ? refusals{} : read.error();
}

refusals validate_update(driver_config const& config, parameters const& old, parameters const& wanted) {
  auto refused = validate_parameters(config, wanted);
  refuse_change("jurisdiction", old, wanted, "the backend sets it when the bucket is created", refused);
  return refused;
}

}  // namespace kopiur::buckety::s3
