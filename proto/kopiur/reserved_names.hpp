#pragma once
#include <algorithm>
#include <string>
#include <string_view>

#include "proto/kopiur/names.hpp"

/// All annotations and labels under the group's prefix: who writes each, and why a reader may trust it. The chart's admission policy, the
/// filter of the manifest directory and the gateway's seals are derived from this table.
namespace kopiur::proto {

enum class name_writer { kopiur, user };

/// Why a reader may trust the value of a name.
enum class name_proof {
  wish,     ///< a request of the user
  seal,     ///< the gateway signs it (kind, namespace, name, uid, value); services only see values with a valid seal
  checked,  ///< readers compare it with `status`, a run fact or the run's id; e2e/structure/names.txt says where
};

struct reserved_name {
  std::string_view name;
  name_writer writer;
  name_proof proof;
};

inline constexpr reserved_name reserved_names[] = {
    {annotation::skip_snapshot_cleanup, name_writer::user, name_proof::wish},
    {annotation::privileged_movers, name_writer::user, name_proof::wish},
    {annotation::cancel_run, name_writer::user, name_proof::wish},
    {annotation::allow_mass_deletion, name_writer::user, name_proof::wish},
    {annotation::allow_identity_change, name_writer::user, name_proof::wish},
    {annotation::restore_again, name_writer::user, name_proof::wish},
    {annotation::run_maintenance, name_writer::user, name_proof::wish},
    {annotation::accept_shrink, name_writer::user, name_proof::wish},
    {annotation::suspended, name_writer::user, name_proof::wish},
    {annotation::pruned_by, name_writer::kopiur, name_proof::seal},
    {annotation::made_for, name_writer::kopiur, name_proof::seal},
    {annotation::restored_by, name_writer::kopiur, name_proof::seal},
    {annotation::restored_snapshot, name_writer::kopiur, name_proof::seal},
    {annotation::restored_at, name_writer::kopiur, name_proof::seal},
    {annotation::restored_again, name_writer::kopiur, name_proof::seal},
    {annotation::slot, name_writer::kopiur, name_proof::checked},
    {annotation::schedule_uid, name_writer::kopiur, name_proof::checked},
    {annotation::group_uid, name_writer::kopiur, name_proof::checked},
    {annotation::manifest_missing, name_writer::kopiur, name_proof::checked},
    {label::repository, name_writer::kopiur, name_proof::checked},
    {label::backup_config, name_writer::kopiur, name_proof::checked},
    {label::backup_schedule, name_writer::kopiur, name_proof::checked},
    {label::origin, name_writer::kopiur, name_proof::checked},
    {label::identity_hash, name_writer::kopiur, name_proof::checked},
    {label::group, name_writer::kopiur, name_proof::checked},
    {label::capture, name_writer::kopiur, name_proof::checked},
    {label::default_maintenance, name_writer::kopiur, name_proof::checked},
    {label::run, name_writer::kopiur, name_proof::checked},
    {label::fence, name_writer::kopiur, name_proof::checked},
};

/// The annotation that holds the seal of a name.
inline std::string seal_name(std::string_view name) { return "seal." + std::string(name); }
/// The name under which services see a sealed name whose seal is missing or invalid: it predates seals, or another user wrote it. It never
/// causes an action; at most it prevents one.
inline std::string unproven_name(std::string_view name) { return "unproven." + std::string(name); }

/// Whether only kopiur writes that annotation or label: all names under the prefix (and all seals), except those that the table assigns to
/// users.
constexpr bool is_reserved(std::string_view name) {
  auto slash = name.find('/');
  auto domain = slash == name.npos ? std::string_view() : name.substr(0, slash);
  bool ours = domain.ends_with(api_group) && (domain.size() == api_group.size() || domain[domain.size() - api_group.size() - 1] == '.');
  if (!ours) return false;
  return std::ranges::none_of(reserved_names,
                              [&](reserved_name const& one) { return one.writer == name_writer::user && one.name == name; });
}

/// Whether it is a mark: a name that is trusted by its seal.
constexpr bool is_mark(std::string_view name) {
  return std::ranges::any_of(reserved_names, [&](reserved_name const& one) { return one.proof == name_proof::seal && one.name == name; });
}

}  // namespace kopiur::proto
