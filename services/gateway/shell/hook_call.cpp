#include "services/gateway/shell/hook_call.hpp"

#include "common/http/client.hpp"

namespace kopiur::gateway {

using proto::answer_code;

awaitable<outcome<void>> call_hook(ports to, proto::call_http call) {
  http::request request{.method = call.method,
                        .url = call.url,
                        .headers = {},
                        .body = std::move(call.body),
                        .timeout = std::chrono::seconds(call.timeout_seconds)};
  for (auto const& header : call.headers) {
    if (header.value) request.headers.emplace_back(header.name, *header.value);
    if (!header.value_from) continue;
    auto const& ref = header.value_from->secret_key_ref;
    auto value = co_await to.world.secret(call.namespace_, ref.name, ref.key);
    if (!value) co_return std::unexpected(value.error());
    request.headers.emplace_back(header.name, std::move(*value));
  }
  auto response = co_await to.call(to.time, std::move(request));
  if (!response) co_return refuse(answer_code::Unavailable, response.error());
  if (response->status / 100 == 2) co_return outcome<void>();
  co_return refuse(answer_code::Unavailable, call.method + " " + http::without_query(call.url) + " answered " +
                                                 std::to_string(response->status) +
                                                 ", and only 2xx is success: " + response->body.substr(0, 300));
}

}  // namespace kopiur::gateway
