#include "services/gateway/adapters/kubernetes/borrowed_rights.hpp"

namespace kopiur::gateway::kubernetes {

using json::object;
using json::value;

namespace {

constexpr duration patience{3'000};

void add_hooks(value const& config, std::string const& ns, char const* list, std::vector<borrowed_right>& to) {
  auto* hooks = config.at(std::string("spec.hooks.") + list);
  if (!hooks || !hooks->as_array()) return;
  for (std::size_t i = 0; i < hooks->as_array()->size(); ++i) {
    auto& hook = (*hooks->as_array())[i];
    auto field = std::string("spec.hooks.") + list + "[" + std::to_string(i) + "].";
    if (hook.find("workloadExec")) to.push_back({field + "workloadExec", ns, "", "pods", "exec", "create"});
    if (auto* headers = hook.at("httpRequest.headers"); headers && headers->as_array())
      for (auto& each : *headers->as_array())
        if (auto secret = each.text("valueFrom.secretKeyRef.name"); !secret.empty())
          to.push_back({field + "httpRequest", ns, "", "secrets", "", "get", std::string(secret)});
    if (hook.find("runJob")) to.push_back({field + "runJob", ns, "batch", "jobs", "", "create"});
  }
}

value question(value const& user, borrowed_right const& right) {
  value spec = object{{"user", user.text("username")},
                      {"resourceAttributes", object{{"namespace", right.namespace_},
                                                    {"verb", right.verb},
                                                    {"group", right.group},
                                                    {"resource", right.resource},
                                                    {"subresource", right.subresource},
                                                    {"name", right.name}}}};
  for (auto* member : {"uid", "groups", "extra"})
    if (auto* there = user.find(member)) spec.set(member, *there);
  return object{{"apiVersion", "authorization.k8s.io/v1"},
                {"kind", "LocalSubjectAccessReview"},
                {"metadata", object{{"namespace", right.namespace_}}},
                {"spec", std::move(spec)}};
}

using access = std::expected<bool, std::string>;  // or why nobody knows

awaitable<void> ask(client& api, value about, std::string ns, access& to) {
  auto path = path_of("authorization.k8s.io/v1", "localsubjectaccessreviews", ns);
  auto said = co_await api.ask({.method = "POST", .path = std::move(path), .body = std::move(about)});
  auto* allowed = said ? said->at("status.allowed") : nullptr;
  if (said)
    to = allowed && allowed->as_bool() && *allowed->as_bool();
  else
    to = std::unexpected(said.error().message);
}

awaitable<access> asked(client& api, clock& time, value about, std::string ns) {
  access said = std::unexpected("the API server did not answer in time.");
  try {
    co_await app::within(time, patience, ask(api, std::move(about), std::move(ns), said), "");
  } catch (app::timed_out const&) {
  }
  co_return said;
}

}  // namespace

std::vector<borrowed_right> borrowed_rights(value const& review) {
  std::vector<borrowed_right> rights;
  auto *wanted = review.at("request.object"), *before = review.at("request.oldObject");
  if (!wanted || wanted->text("kind") != "BackupConfig" || is_terminating(*wanted)) return rights;
  auto* hooks = wanted->at("spec.hooks");
  auto* former = before ? before->at("spec.hooks") : nullptr;
  if (!hooks || (former && *hooks == *former)) return rights;
  for (auto* list : {"beforeSnapshot", "afterSnapshot"}) add_hooks(*wanted, std::string(review.text("request.namespace")), list, rights);
  return rights;
}

awaitable<std::vector<finding>> lacking(client& api, clock& time, value review) {
  std::vector<finding> wrong;
  auto* told = review.at("request.userInfo");
  auto user = told ? *told : value::make_object();
  auto who = std::string(user.text("username"));
  for (auto& right : borrowed_rights(review)) {
    auto said = co_await asked(api, time, question(user, right), right.namespace_);
    if (said && *said) continue;
    wrong.push_back(
        {right.field, said ? "kopiur would do this for " + who + ", who may not do it himself: that takes the right to " + right.text() +
                                 " in namespace " + right.namespace_ + "."
                           : "whether " + who + " may " + right.text() + " could not be asked: " + said.error() + " Try again."});
  }
  co_return wrong;
}

}  // namespace kopiur::gateway::kubernetes
