#include "services/gateway/admission/review.hpp"

namespace kopiur::gateway::kubernetes {

using json::object;
using json::value;

namespace {

constexpr char const* version = "admission.k8s.io/v1";

/// The object as its user wrote it, as far as possible: the server has already added its fields to metadata.
value as_written(value const& from) {
  auto out = from;
  auto* metadata = out.find("metadata");
  if (!metadata) return out;
  for (auto* theirs : {"managedFields", "creationTimestamp", "generation", "resourceVersion", "uid", "selfLink"}) metadata->erase(theirs);
  if (metadata->text("name").empty()) metadata->set("name", std::string(metadata->text("generateName")) + "new");
  metadata->erase("generateName");
  return out;
}

bool is_same_spec(value const& a, value const& b) {
  auto *one = a.find("spec"), *other = b.find("spec");
  return one && other ? *one == *other : one == other;
}

verdict judge(value const& request, controller::objects const& there, controller::configurations const& configurations) {
  auto *wanted = request.find("object"), *before = request.find("oldObject");
  auto operation = request.text("operation");
  bool changes = operation == "CREATE" || operation == "UPDATE";
  if (!changes || !request.text("subResource").empty() || !wanted || !wanted->is_object() || is_terminating(*wanted)) return {};
  if (!wanted->find("spec") && label(*wanted, ours("origin")) == "discovered") return {};  // a discovered Backup gets its status later
  bool replaces = before && before->is_object();
  if (replaces && is_same_spec(*wanted, *before)) return {};
  auto manifest = as_written(*wanted);
  manifest.erase("status");
  auto old = replaces ? as_written(*before) : value();
  verdict said{.faults = admission(manifest, replaces ? &old : nullptr), .warnings = {}};
  if (!said.faults.empty()) return said;
  return beside(manifest, there, replaces ? &old : nullptr, configurations);
}

}  // namespace

std::optional<value> reviewed(value const& review, controller::objects const& there, controller::configurations const& configurations) {
  auto* request = review.find("request");
  if (review.text("apiVersion") != version || !request || request->text("uid").empty()) return std::nullopt;
  auto said = judge(*request, there, configurations);
  auto answer = answered(review, said.faults);
  json::array warnings;
  for (auto const& one : said.warnings) warnings.emplace_back(listing({one}));
  if (!warnings.empty()) answer.find("response")->set("warnings", std::move(warnings));
  return answer;
}

value answered(value const& review, std::vector<finding> const& wrong) {
  value response = object{{"uid", review.text("request.uid")}, {"allowed", wrong.empty()}};
  if (!wrong.empty()) response.set("status", object{{"code", 422}, {"reason", "Invalid"}, {"message", listing(wrong)}});
  return object{{"apiVersion", version}, {"kind", "AdmissionReview"}, {"response", std::move(response)}};
}

}  // namespace kopiur::gateway::kubernetes
