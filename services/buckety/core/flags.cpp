#include "services/buckety/core/flags.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <variant>

#include "common/encoding/number.hpp"

namespace kopiur::buckety::program {

namespace {

using member = std::variant<std::string flags::*, bool flags::*, int flags::*, duration flags::*>;
struct known_flag {
  std::string_view name;
  member place;
  std::string_view value, help;
};

constexpr std::array all_flags{
    known_flag{"c", &flags::config_dir, "DIR", "folder with buckety-controller.yaml"},
    known_flag{"cert-dir", &flags::certificate_dir, "DIR", "folder with the webhook's tls.crt and tls.key"},
    known_flag{"data-dir", &flags::data_dir, "DIR",
               "writable folder for nats-server, emptied at each start; else below TMPDIR, /tmp or /dev/shm"},
    known_flag{"enable-webhook", &flags::enable_webhook, "", "serve the validating webhook"},
    known_flag{"health-addr", &flags::health_address, "ADDRESS", "address of /healthz and /readyz"},
    known_flag{"help", &flags::help, "", "print this"},
    known_flag{"h", &flags::help, "", "print this"},
    known_flag{"kubeconfig", &flags::kubeconfig, "FILE", "else the variable KUBECONFIG, else the pod's service account"},
    known_flag{"leader-elect", &flags::leader_elect, "", "only the holder of the Lease buckety-controller-leader reconciles"},
    known_flag{"metrics-addr", &flags::metrics_address, "ADDRESS", "address of /metrics"},
    known_flag{"periodic-recheck", &flags::periodic_recheck, "DURATION", "how often each resource is compared with its backend"},
    known_flag{"version", &flags::version, "", "print the versions of the program and of its drivers"},
    known_flag{"webhook-port", &flags::webhook_port, "PORT", "port of the webhook"},
};

bool is_boolean(known_flag const& one) { return std::holds_alternative<bool flags::*>(one.place); }

std::optional<bool> read(std::string_view text, bool) {
  constexpr std::array<std::string_view, 6> yes{"1", "t", "T", "TRUE", "true", "True"}, no{"0", "f", "F", "FALSE", "false", "False"};
  if (std::ranges::find(yes, text) != yes.end()) return true;
  return std::ranges::find(no, text) != no.end() ? std::optional(false) : std::nullopt;
}
std::optional<std::string> read(std::string_view text, std::string const&) { return std::string(text); }
std::optional<int> read(std::string_view text, int) {
  auto port = encoding::whole_number<int>(text);
  return port && *port >= 0 && *port <= 65'535 ? port : std::nullopt;
}
std::optional<duration> read(std::string_view text, duration) {
  auto length = duration_from(text);
  return length && length->count() > 0 ? length : std::nullopt;
}

std::string_view expected_by(known_flag const& one) {
  constexpr std::array<std::string_view, 4> forms{"text", "true or false", "a port from 0 to 65535", "a duration such as 30s, 5m or 1m30s"};
  return forms[one.place.index()];
}

bool assign(flags& all, known_flag const& one, std::string_view text) {
  return std::visit(
      [&](auto place) {
        auto value = read(text, all.*place);
        if (value) all.*place = std::move(*value);
        return value.has_value();
      },
      one.place);
}

struct split_argument {
  std::string_view name;
  std::optional<std::string_view> value;
};
/// Nothing when it is not a flag.
std::optional<split_argument> split(std::string_view text) {
  auto dashes = text.find_first_not_of('-');
  if (dashes == 0 || dashes > 2) return {};
  text.remove_prefix(dashes);
  auto sign = text.find('=');
  if (sign == text.npos) return split_argument{text, {}};
  return split_argument{text.substr(0, sign), text.substr(sign + 1)};
}

std::string default_of(known_flag const& one) {
  flags const defaults;
  auto text = [](auto const& value) -> std::string {
    using type = std::decay_t<decltype(value)>;
    if constexpr (std::same_as<type, bool>)
      return value ? "true" : "";
    else if constexpr (std::same_as<type, int>)
      return std::to_string(value);
    else if constexpr (std::same_as<type, duration>)
      return to_text(value);
    else
      return value;
  };
  return std::visit([&](auto place) { return text(defaults.*place); }, one.place);
}

}  // namespace

std::expected<flags, std::string> parse_flags(std::span<std::string_view const> arguments) {
  flags all;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    auto argument = split(arguments[i]);
    if (!argument) return std::unexpected("unexpected argument \"" + std::string(arguments[i]) + "\": everything is a flag.");
    auto one = std::ranges::find(all_flags, argument->name, &known_flag::name);
    if (one == all_flags.end()) return std::unexpected("unknown flag \"" + std::string(arguments[i]) + "\".");
    auto value = argument->value;
    if (!value && is_boolean(*one)) value = "true";
    if (!value && ++i < arguments.size()) value = arguments[i];
    if (!value) return std::unexpected("the flag -" + std::string(one->name) + " needs a value.");
    if (!assign(all, *one, *value))
      return std::unexpected("the flag -" + std::string(one->name) + " has the value \"" + std::string(*value) + "\": it must be " +
                             std::string(expected_by(*one)) + ".");
  }
  return all;
}

std::string usage() {
  std::string text = "usage: buckety [flags]\n";
  for (auto const& each : all_flags) {
    std::string line = "  -" + std::string(each.name) + (each.value.empty() ? "" : " " + std::string(each.value));
    line.resize(std::max<std::size_t>(line.size() + 1, 30), ' ');
    auto otherwise = default_of(each);
    text += line + std::string(each.help) + (otherwise.empty() ? "" : " (default " + otherwise + ")") + "\n";
  }
  return text;
}

}  // namespace kopiur::buckety::program
