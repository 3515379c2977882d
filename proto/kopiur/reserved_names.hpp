#pragma once
#include <algorithm>
#include <string>
#include <string_view>

#include "proto/kopiur/names.hpp"

/// Every annotation and label under the group's prefix: who writes it, and why a reader may believe it. From this table come the admission
/// policy of the chart, what the manifest folder leaves out, and the seals of the gateway.
namespace kopiur::proto {

enum class name_writer { kopiur, user };

/// Why a reader may believe what stands under a name.
enum class name_proof {
  wish,     ///< it is the user's, and asks for something
  seal,     ///< the gateway seals it (kind, namespace, name, uid and value), and tells services only what its seal proves
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

/// Where the seal of a name stands: an annotation beside it.
inline std::string seal_name(std::string_view name) { return "seal." + std::string(name); }
/// Where services find what stands under a sealed name without a seal that proves it: it was written before there were seals, or by
/// somebody else. Nothing is done because of it; at most it keeps something from being done.
inline std::string unproven_name(std::string_view name) { return "unproven." + std::string(name); }

/// Whether only kopiur writes that annotation or label: all that is under the prefix (or is a seal), but for what the table leaves to
/// users.
constexpr bool is_reserved(std::string_view name) {
  auto slash = name.find('/');
  auto domain = slash == name.npos ? std::string_view() : name.substr(0, slash);
  bool ours = domain.ends_with(api_group) && (domain.size() == api_group.size() || domain[domain.size() - api_group.size() - 1] == '.');
  if (!ours) return false;
  return std::ranges::none_of(reserved_names,
                              [&](reserved_name const& one) { return one.writer == name_writer::user && one.name == name; });
}

/// Whether that is a mark: a name whose proof is a seal.
constexpr bool is_mark(std::string_view name) {
  return std::ranges::any_of(reserved_names, [&](reserved_name const& one) { return one.proof == name_proof::seal && one.name == name; });
}

}  // namespace kopiur::proto
