#include "common/kubernetes/token_request.hpp"

#include "common/time/instant.hpp"

namespace kopiur::kubernetes {

awaitable<result<bound_token>> request_token(client& api, object_key account, std::vector<std::string> audiences, duration life) {
  auto seconds = std::chrono::ceil<std::chrono::seconds>(life).count();
  json::object spec{{"audiences", json::array(audiences.begin(), audiences.end())}, {"expirationSeconds", seconds}};
  json::object body{{"apiVersion", "authentication.k8s.io/v1"}, {"kind", "TokenRequest"}, {"spec", std::move(spec)}};
  auto path = path_of(service_accounts, account, "token");
  auto made = co_await api.ask({.method = "POST", .path = path, .body = std::move(body)});
  if (!made) co_return std::unexpected(made.error());
  auto expires = instant_from(made->text("status.expirationTimestamp"));
  bound_token given{.token = std::string(made->text("status.token")), .expires = expires.value_or(instant{})};
  if (given.token.empty() || !expires)
    co_return std::unexpected(error{.message = "The API server answered a TokenRequest for " + account.text() + " without a token."});
  co_return given;
}

}  // namespace kopiur::kubernetes
