#include "services/gateway/admission/access_review.hpp"

#include <map>

#include "services/gateway/admission/borrowed_rights.hpp"
#include "services/gateway/kubernetes/objects/kinds.hpp"

namespace kopiur::gateway::kubernetes {

using json::object;
using json::value;

namespace {

using decision = std::expected<bool, std::string>;  // or why it is unknown

value review_of(std::string_view kind) { return object{{"apiVersion", resource_of(kind)->group_version}, {"kind", kind}}; }

value question(value const& user, right const& asked, std::string const& ns) {
  value spec = object{{"user", user.text("username")},
                      {"resourceAttributes", object{{"namespace", ns},
                                                    {"verb", asked.verb},
                                                    {"group", asked.group},
                                                    {"resource", asked.resource},
                                                    {"subresource", asked.subresource},
                                                    {"name", asked.name}}}};
  for (auto* member : {"uid", "groups", "extra"})
    if (auto* there = user.find(member)) spec.set(member, *there);
  auto review = review_of("SubjectAccessReview");
  review.set("spec", std::move(spec));
  return review;
}

awaitable<std::expected<value, std::string>> created(client& api, value review) {
  auto path = path_of(*resource_of(review.text("kind")));
  auto said = co_await api.ask({.method = "POST", .path = std::move(path), .body = std::move(review)});
  if (!said) co_return std::unexpected(said.error().message);
  co_return std::move(*said);
}

finding refusal(borrowed_right const& needed, std::string const& who) {
  auto what = needed.use.empty() ? "do this" : "use " + needed.use;
  return {needed.field, "kopiur would " + what + " for " + who + ", who may not do it: this needs the right to " + needed.text() + " " +
                            needed.scope() + "."};
}

finding doubt(borrowed_right const& needed, std::string const& who, std::string const& why) {
  return {needed.field, "whether " + who + " may " + needed.text() + " could not be asked: " + why + " Try again."};
}

}  // namespace

/// A user, the needed rights, and the answers so far.
struct access_reviewer::interview {
  review_creator const& create;
  value user;
  std::vector<borrowed_right> needed;
  std::vector<decision> answers{};                               ///< one for each needed right
  std::map<std::pair<std::string, right>, decision> reviewed{};  ///< by namespace

  awaitable<decision> may(right const& asked, std::string const& ns) {
    auto key = std::pair(ns, asked);
    if (auto there = reviewed.find(key); there != reviewed.end()) co_return there->second;
    if (reviewed.size() >= most_questions) co_return std::unexpected("one change needs too many rights; make it in parts.");
    decision said = false;
    if (auto answer = co_await create(question(user, asked, ns))) {
      auto* allowed = answer->at("status.allowed");
      said = allowed && allowed->as_bool() && *allowed->as_bool();
    } else {
      said = std::unexpected(answer.error());
    }
    reviewed.emplace(std::move(key), said);
    co_return said;
  }

  awaitable<decision> may_any(borrowed_right const& all) {
    decision sum = false;
    for (auto& each : all.sufficient) {
      auto said = co_await may(each, all.namespace_);
      if (said && *said) co_return true;
      if (!said) sum = said;
    }
    co_return sum;
  }
};

awaitable<bool> access_reviewer::is_own(std::string_view user) {
  if (own_name_.empty())
    if (auto said = co_await create_(review_of("SelfSubjectReview"))) own_name_ = said->text("status.userInfo.username");
  co_return !own_name_.empty() && user == own_name_;
}

awaitable<void> access_reviewer::judge(interview& about) {
  bool own = co_await is_own(about.user.text("username"));
  for (std::size_t i = 0; i < about.needed.size(); ++i)
    if (own)
      about.answers[i] = true;
    else
      about.answers[i] = co_await about.may_any(about.needed[i]);
}

awaitable<std::vector<finding>> access_reviewer::lacking(value review) {
  std::vector<finding> wrong;
  auto* told = review.at("request.userInfo");
  interview about{create_, told ? *told : value::make_object(), borrowed_rights(review)};
  if (about.needed.empty()) co_return wrong;
  about.answers.resize(about.needed.size(), std::unexpected("the API server did not answer in time."));
  try {
    co_await app::within(time_, patience, judge(about), "");
  } catch (app::timed_out const&) {
  }
  std::string who(about.user.text("username"));
  for (std::size_t i = 0; i < about.needed.size(); ++i)
    if (auto& said = about.answers[i]; !said)
      wrong.push_back(doubt(about.needed[i], who, said.error()));
    else if (!*said)
      wrong.push_back(refusal(about.needed[i], who));
  co_return wrong;
}

access_reviewer::review_creator reviews_by(client& api) {
  return [&api](value review) { return created(api, std::move(review)); };
}

}  // namespace kopiur::gateway::kubernetes
