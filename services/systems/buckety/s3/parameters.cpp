#include "services/systems/buckety/s3/parameters.hpp"

#include "common/encoding/join.hpp"

namespace kopiur::buckety::s3 {
namespace {

/// Parameters of an access that are documented and have no effect yet.
constexpr std::string_view future_access_keys[]{"consumerGroupPrefix"};

std::vector<std::string_view> const& known_keys() {
  static std::vector<std::string_view> const all = [] {
    std::vector<std::string_view> names;
    json::for_each_member<bucket_parameters>([&](std::string const& name, auto) { names.push_back(name); });
    return names;
  }();
  return all;
}

std::string unknown_parameter(std::string const& key, std::vector<std::string_view> const& known) {
  auto near = config::nearest(key, known);
  auto begin = "unknown parameter \"" + key + "\"" + (near.empty() ? "" : "; did you mean `" + std::string(near) + "`?");
  return begin + (near.empty() ? "; " : " ") + "The driver s3 has: " + encoding::join(known) + ".";
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

std::string value_at(parameters const& all, std::string const& key) {
  auto found = all.find(key);
  return found == all.end() ? "" : found->second;
}

}  // namespace

std::expected<wanted_bucket, refusals> parse_parameters(backend_config const& config, parameters const& wanted) {
  wanted_bucket bucket;
  refusals refused;
  auto take = [&](std::string const& key, auto read, auto& target) {
    if (read)
      target = std::move(*read);
    else
      refused.emplace(key, read.error());
  };
  for (auto& [key, value] : wanted) {
    if (key == "versioning")
      take(key, parse_versioning(value), bucket.versioning);
    else if (key == "lifecycle")
      take(key, parse_lifecycle(value), bucket.lifecycle);
    else if (key == "jurisdiction")
      take(key, parse_jurisdiction(value, config), bucket.jurisdiction);
    else
      refused.emplace(key, unknown_parameter(key, known_keys()));
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
  if (value_at(old, "jurisdiction") != value_at(wanted, "jurisdiction"))
    refused.insert_or_assign("jurisdiction",
                             "jurisdiction is immutable: the backend sets it when the bucket is created. Restore its value.");
  return refused;
}

access_judgement validate_access_parameters(parameters const& wanted) {
  access_judgement out;
  for (auto& [key, value] : wanted) {
    if (std::ranges::find(future_access_keys, key) != std::end(future_access_keys))
      out.not_scoped.push_back(key);
    else
      out.refused.emplace(key, "unknown parameter \"" + key + "\": an access with the driver s3 has no parameters. Remove it.");
  }
  return out;
}

}  // namespace kopiur::buckety::s3
