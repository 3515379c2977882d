#include "services/gateway/shell/hook_call.hpp"

#include <algorithm>

#include "proto/kopiur/hook_headers.hpp"
#include "services/gateway/shell/hook_route.hpp"

namespace kopiur::gateway {

using proto::answer_code;

namespace {

outcome<void> check_headers(proto::call_http const& call) {
  auto found = std::ranges::find_if(call.headers, [](auto const& each) { return proto::is_connection_header(each.name); });
  if (found == call.headers.end()) return {};
  return refuse(answer_code::Invalid, "The header " + found->name + " belongs to the connection, and kopiur writes it: remove it.");
}

std::vector<http::endpoint> endpoints(std::vector<hook_endpoint> const& all) {
  std::vector<http::endpoint> out;
  for (auto const& each : all) out.push_back({each.ip, std::to_string(each.port)});
  return out;
}

/// Adds the headers, with values from Secrets where they are named.
awaitable<outcome<void>> add_headers(ports const& ports, proto::call_http const& call, http::request& request) {
  for (auto const& header : call.headers) {
    if (header.value) request.headers.emplace_back(header.name, *header.value);
    if (!header.value_from) continue;
    auto const& ref = header.value_from->secret_key_ref;
    auto value = co_await ports.cluster.secret(call.namespace_, ref.name, ref.key);
    if (!value) co_return std::unexpected(value.error());
    request.headers.emplace_back(header.name, std::move(*value));
  }
  co_return outcome<void>();
}

outcome<void> judge(proto::call_http const& call, http::response const& said) {
  if (said.status / 100 == 2) return {};
  return refuse(answer_code::Unavailable, call.method + " " + http::without_query(call.url) + " answered " + std::to_string(said.status) +
                                              ", and only 2xx is success: " + said.body.substr(0, 300));
}

awaitable<outcome<void>> send(ports const& ports, proto::call_http const& call) {
  http::request request{.method = call.method,
                        .url = call.url,
                        .headers = {},
                        .body = call.body,
                        .timeout = std::chrono::seconds(call.timeout_seconds),
                        .ca_file = {}};
  if (auto* policy = ports.cluster.http_policy()) {
    auto route = co_await route_of(ports.cluster, ports.resolve, *policy, call.namespace_, call.url);
    if (!route) co_return std::unexpected(route.error());
    request.connect_to = endpoints(*route);
  }
  if (auto added = co_await add_headers(ports, call, request); !added) co_return added;
  auto response = co_await ports.call(ports.time, std::move(request));
  if (!response) co_return refuse(answer_code::Unavailable, response.error());
  co_return judge(call, *response);
}
awaitable<void> send(ports const& ports, proto::call_http const& call, outcome<void>& end) { end = co_await send(ports, call); }

}  // namespace

awaitable<outcome<void>> call_hook(ports ports, proto::call_http call) {
  if (auto good = check_headers(call); !good) co_return good;
  outcome<void> end;
  auto const limit = std::chrono::seconds(call.timeout_seconds);
  try {
    co_await app::within(ports.time, limit, send(ports, call, end), "no answer within " + to_text(duration(limit)));
  } catch (app::timed_out const& late) {
    co_return refuse(answer_code::Unavailable, call.method + " " + http::without_query(call.url) + " failed: " + late.what() + ".");
  }
  co_return end;
}

}  // namespace kopiur::gateway
