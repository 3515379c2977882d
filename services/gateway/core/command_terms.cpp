#include "services/gateway/core/command_terms.hpp"

#include <chrono>
#include <utility>

namespace kopiur::gateway {

namespace {

constexpr std::int64_t longest = std::chrono::duration_cast<std::chrono::seconds>(proto::longest_hook_timeout).count();

struct namespace_finder {
  std::string operator()(proto::create_object const& one) const { return std::string(one.object.text("metadata.namespace")); }
  std::string operator()(proto::apply_object const& one) const { return std::string(one.object.text("metadata.namespace")); }
  std::string operator()(auto const& one) const
    requires requires { one.object.namespace_; }
  {
    return one.object.namespace_;
  }
  std::string operator()(auto const& one) const
    requires requires { one.owner.namespace_; }
  {
    return one.owner.namespace_;
  }
  std::string operator()(auto const& one) const
    requires requires { one.namespace_; }
  {
    return one.namespace_;
  }
};

}  // namespace

std::string namespace_of(proto::gateway_command const& command) { return std::visit(namespace_finder(), command); }

bool is_hook(proto::gateway_command const& command) {
  return std::visit([](auto const& one) { return requires { one.timeout_seconds; }; }, command);
}

std::optional<std::string> cut_timeout(proto::gateway_command& hook) {
  return std::visit(
      [](auto& one) -> std::optional<std::string> {
        if constexpr (requires { one.timeout_seconds; }) {
          if (one.timeout_seconds <= longest) return {};
          auto asked = std::exchange(one.timeout_seconds, longest);
          return "Its timeout of " + std::to_string(asked) + " s was cut to the " + std::to_string(longest) + " s that a hook may take.";
        }
        return {};
      },
      hook);
}

}  // namespace kopiur::gateway
