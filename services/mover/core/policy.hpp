#pragma once
#include <string>
#include <string_view>

#include "common/json/value.hpp"
#include "proto/work.hpp"

/// kopia's policies. Two rules: kopia's own retention never deletes anything (every keep-* is 0, which kopia reads as "keep all"), and
/// the policy of a source is exactly its recipe (noParent: a policy that somebody set elsewhere in the repository changes nothing).
namespace kopiur::mover {

/// What kopia leaves out of a folder stands in a file of this name there; a folder with one of the other name is a cache.
inline constexpr char const *ignore_file = ".kopiaignore", *cache_tag = "CACHEDIR.TAG";

/// `user@host:/path`, as kopia writes a source.
std::string source_text(proto::identity const&);

/// The policy of a source as JSON for `policy import`, without its target. `/lost+found` is always ignored.
json::value policy_of(proto::snapshot_policy const& recipe);

/// The file that `policy import` reads: one target, one policy.
std::string policy_document(proto::identity const& source, proto::snapshot_policy const& recipe);

/// True when the effective policy (`policy show --json`) keeps everything: kopia deletes none of its snapshots by itself.
bool keeps_everything(json::value const& effective);

/// True when the effective policy is what the recipe asks for, so that nothing need be written.
bool follows(json::value const& effective, proto::snapshot_policy const& recipe);

}  // namespace kopiur::mover
