#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/json/value.hpp"
#include "common/time/instant.hpp"
#include "proto/describe.hpp"

/// What all kinds share: object metadata, conditions, references, selectors. Data only, under the names that Kubernetes uses on the wire.
namespace kopiur::proto {

enum class kind_scope { Namespaced, Cluster };
BOOST_DESCRIBE_ENUM(kind_scope, Namespaced, Cluster)

/// Who defines a kind. Kubernetes: every cluster has it. Foreign: read only, and a cluster may lack its CustomResourceDefinition
/// (proto/events/kind_state.hpp).
enum class kind_ownership { Own, Kubernetes, Foreign };

/// A column of a kind's table in `kubectl get` and `kopiur get`.
struct printer_column {
  std::string_view name, type;  ///< type: an OpenAPI type (`string`, `integer`, `boolean`), or `date`, shown as the time since then
  std::string_view path;        ///< JSONPath below the object: `.status.phase`; a condition is selected by its type (see ready_reason)
  int priority = 0;             ///< 1: shown with `-o wide` only
  bool bytes = false;           ///< `kopiur get` shows it as a size
};

/// What code that iterates over the kinds (proto/kinds.hpp) needs to know about each.
struct kind_info {
  std::string_view kind, plural, singular;
  std::string_view short_name{};  ///< empty: none
  kind_scope scope = kind_scope::Namespaced;
  std::string_view api_version = "v1";  ///< group and version
  std::string_view system{};            ///< the system that defines it, or that reads it (Foreign); empty: none
  kind_ownership ownership = kind_ownership::Kubernetes;
  bool observes_generation = false;  ///< its status has `observedGeneration`
  bool mints_secrets = false;        ///< its objects may own Secrets with values of the gateway's configuration
  bool acts_by_itself = false;       ///< it starts work without a request, so it is suspended when its manifest file disappears
  std::span<printer_column const> columns{};
  /// Of one of ours: the operator that may define and serve it instead (kind_presence::OfAnother), as its Deployment's `namespace/name`.
  std::string_view other_operator{};
};
/// Empty for the Kubernetes core group.
constexpr std::string_view group_of(kind_info const& one) {
  auto slash = one.api_version.find('/');
  return slash == std::string_view::npos ? std::string_view() : one.api_version.substr(0, slash);
}
constexpr std::string_view version_of(kind_info const& one) { return one.api_version.substr(one.api_version.find('/') + 1); }

/// A kind that a cluster may lack.
template <class T>
concept foreign_kind = T::info.ownership == kind_ownership::Foreign;
/// A kind whose state the gateway tells (kind_state).
template <class T>
concept kind_with_state = foreign_kind<T> || !T::info.other_operator.empty();

/// Columns that many kinds share.
namespace column {
inline constexpr std::string_view ready_reason = R"(.status.conditions[?(@.type=="Ready")].reason)",
                                  ready_message = R"(.status.conditions[?(@.type=="Ready")].message)";
inline constexpr printer_column phase{"Phase", "string", ".status.phase"}, age{"Age", "date", ".metadata.creationTimestamp"},
    state{"State", "string", ready_reason}, message{"Message", "string", ready_message, 1};
}  // namespace column

struct owner_reference {
  static constexpr bool omit_defaults = true;
  std::string api_version, kind, name, uid;
  bool controller = false, block_owner_deletion = false;
};
KOPIUR_DESCRIBE(owner_reference, (), (api_version, kind, name, uid, controller, block_owner_deletion))

/// metav1.ObjectMeta, limited to the fields that kopiur reads and writes. Empty fields are not written.
struct object_meta {
  static constexpr bool omit_defaults = true;
  std::string name, generate_name;
  std::string namespace_;  ///< empty on cluster-scoped kinds
  std::string uid, resource_version;
  std::int64_t generation = 0;
  std::map<std::string, std::string> labels, annotations;
  std::vector<std::string> finalizers;
  std::vector<owner_reference> owner_references;
  std::optional<instant> creation_timestamp, deletion_timestamp;
};
KOPIUR_DESCRIBE(object_meta, (),
                (name, generate_name, namespace_, uid, resource_version, generation, labels, annotations, finalizers, owner_references,
                 creation_timestamp, deletion_timestamp))

enum class condition_status { True, False, Unknown };
BOOST_DESCRIBE_ENUM(condition_status, True, False, Unknown)

/// metav1.Condition. `last_transition_time` moves only when `status` does.
struct condition {
  std::string type;
  condition_status status = condition_status::Unknown;
  std::optional<std::int64_t> observed_generation;
  instant last_transition_time{};
  std::string reason, message;
};
KOPIUR_DESCRIBE_NOTED(condition, (), (type, status, observed_generation, last_transition_time, reason, message))

/// An object of the same namespace.
struct local_ref {
  std::string name;
};
KOPIUR_DESCRIBE_NOTED(local_ref, (), (name))

enum class selector_operator { In, NotIn, Exists, DoesNotExist };
BOOST_DESCRIBE_ENUM(selector_operator, In, NotIn, Exists, DoesNotExist)

struct selector_requirement {
  std::string key;
  selector_operator operator_ = selector_operator::In;
  std::vector<std::string> values;
};
KOPIUR_DESCRIBE_NOTED(selector_requirement, (), (key, operator_, values))

/// metav1.LabelSelector: all requirements must match; an empty selector selects everything.
struct label_selector {
  std::map<std::string, std::string> match_labels;
  std::vector<selector_requirement> match_expressions;
};
KOPIUR_DESCRIBE_NOTED(label_selector, (), (match_labels, match_expressions))

}  // namespace kopiur::proto
