#include "services/systems/buckety/s3/driver.hpp"

#include <algorithm>
#include <cctype>

#include "services/systems/buckety/rules/driver_versions.hpp"
#include "services/systems/buckety/rules/parameter_keys.hpp"
#include "services/systems/buckety/s3/bucket_name.hpp"
#include "services/systems/buckety/s3/parameters.hpp"
#include "services/systems/buckety/s3/read_config.hpp"

namespace kopiur::buckety::s3 {
namespace {

constexpr std::string_view secret_names[]{"endpoint", "bucket", "region", "accessKeyID", "secretAccessKey"};

std::expected<driver_config, config::problem> read_driver_config(config_block const& from) { return read_config(from); }
access_judgement judge_access(parameters const& wanted) { return judge_access_parameters("s3", wanted); }

std::vector<secret_entry> secret_keys(driver_config const& config, std::string const& resource_name) {
  auto& chosen = std::get<backend_config>(config);
  std::vector<secret_entry> keys{{"endpoint", plain_value{chosen.endpoint}}, {"bucket", plain_value{resource_name}}};
  if (chosen.region) keys.push_back({"region", plain_value{*chosen.region}});
  for (std::string_view name : {"accessKeyID", "secretAccessKey"}) keys.push_back({std::string(name), config_field{name}});
  return keys;
}

/// Host and port. Whether the connection is encrypted makes no other store, nor does a port that its scheme implies.
std::string store_of(driver_config const& config) {
  std::string_view rest = std::get<backend_config>(config).endpoint;
  bool tls = rest.starts_with("https://");
  rest.remove_prefix(std::min(rest.size(), tls ? std::size_t{8} : std::size_t{7}));
  std::string host(rest.substr(0, rest.find('/')));
  std::ranges::transform(host, host.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::string_view const implied = tls ? ":443" : ":80";
  return host.ends_with(implied) ? host.substr(0, host.size() - implied.size()) : host;
}

}  // namespace

driver_rules driver() {
  return {.name = "s3",
          .version = version_of_s3,
          .principal = "s3-root",
          .store = store_of,
          .read_config = read_driver_config,
          .validate_name = refuse_bucket_name,
          .validate_parameters = validate_parameters,
          .validate_update = validate_update,
          .validate_access_parameters = judge_access,
          .secret_names = secret_names,
          .secret_keys = secret_keys};
}

}  // namespace kopiur::buckety::s3
