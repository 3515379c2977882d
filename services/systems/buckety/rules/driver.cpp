#include "services/systems/buckety/rules/driver.hpp"

#include <algorithm>
#include <array>

#include "services/systems/buckety/kadm/driver.hpp"
#include "services/systems/buckety/s3/driver.hpp"

namespace kopiur::buckety {

std::span<driver_rules const> all_drivers() {
  static std::array const all{
      s3::driver(),
      kadm::driver(),
  };
  return all;
}

std::map<std::string, std::string> plain_values(driver_rules const& driver, driver_config const& config, std::string const& resource_name) {
  std::map<std::string, std::string> values;
  for (auto& entry : driver.secret_keys(config, resource_name))
    if (auto* plain = std::get_if<plain_value>(&entry.value)) values.emplace(std::move(entry.key), plain->text);
  return values;
}

std::string text_of(refusals const& all) {
  std::string out;
  for (auto& [key, sentence] : all) out += (out.empty() ? "" : " ") + key + ": " + sentence;
  return out;
}

std::string version_text(semver const& version) {
  return std::to_string(version.major_number) + "." + std::to_string(version.minor_number) + "." + std::to_string(version.patch_number);
}

secret_text const* secret_field(driver_config const& config, std::string_view name) {
  secret_text const* found = nullptr;
  auto look = [&]<class T>(T const& one) {
    json::for_each_member<T>([&]<class F>(std::string const& field, F T::* member) {
      if constexpr (std::same_as<F, secret_text>)
        if (field == name) found = &(one.*member);
    });
  };
  std::visit(look, config);
  return found;
}

}  // namespace kopiur::buckety
