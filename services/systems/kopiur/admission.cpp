#include "services/systems/kopiur/admission.hpp"

#include "proto/codec.hpp"
#include "services/systems/kopiur/rules/neighbours.hpp"

namespace kopiur::plans {

using controller::finding;
using controller::verdict;

namespace {

template <class T>
using is_judged = std::bool_constant<requires(controller::objects const& all, T const& wanted) { rules::missing_beside(all, wanted); }>;
using judged_kinds = boost::mp11::mp_copy_if<proto::kopiur_kinds, is_judged>;

std::vector<finding> listed(std::optional<finding> one) { return one ? std::vector<finding>{std::move(*one)} : std::vector<finding>{}; }

template <class T>
verdict judge_as(json::value const& manifest, controller::objects const& beside) {
  auto wanted = json::decode<T>(manifest);
  if (!wanted) return {};
  if (wanted->metadata.namespace_.empty()) wanted->metadata.namespace_ = "default";
  verdict said{.faults = {}, .warnings = listed(rules::missing_beside(beside, *wanted))};
  if constexpr (requires { rules::objection_to(beside, *wanted); }) said.faults = listed(rules::objection_to(beside, *wanted));
  return said;
}

}  // namespace

bool judges(std::string_view kind) {
  return visit_kind(judged_kinds{}, kind, [](auto) { return true; }, false);
}

verdict judge(controller::submission const& wanted) {
  auto by_kind = [&]<class T>(std::type_identity<T>) { return judge_as<T>(wanted.manifest, wanted.beside); };
  return visit_kind(judged_kinds{}, wanted.manifest.text("kind"), by_kind, verdict{});
}

}  // namespace kopiur::plans
