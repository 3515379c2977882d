#pragma once
#include <string>
#include <string_view>

#include "common/json/value.hpp"
#include "proto/kopiur/kopia_task.hpp"

/// kopia's policies. Two rules: kopia's own retention never deletes anything (every keep-* is 0, which kopia reads as "keep all"). The
/// policy of a source is exactly its recipe (noParent: a policy set elsewhere in the repository has no effect).
namespace kopiur::mover {

/// File names: `ignore_file` lists what kopia excludes from a folder; `cache_tag` marks a folder as a cache.
inline constexpr char const *ignore_file = ".kopiaignore", *cache_tag = "CACHEDIR.TAG";

/// `user@host:/path`, as kopia writes a source.
std::string source_text(proto::identity const&);

/// The policy of a source as JSON for `policy import`, without its target. `/lost+found` is always ignored.
json::value policy_of(proto::snapshot_policy const& recipe);

/// The file that `policy import` reads: one target, one policy.
std::string policy_document(proto::identity const& source, proto::snapshot_policy const& recipe);

/// True when the effective policy (`policy show --json`) keeps everything: kopia deletes none of its snapshots by itself.
bool keeps_everything(json::value const& effective);

/// True when the effective policy matches the recipe, so that nothing need be written.
bool follows(json::value const& effective, proto::snapshot_policy const& recipe);

}  // namespace kopiur::mover
