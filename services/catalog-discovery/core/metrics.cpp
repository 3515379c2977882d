#include "services/catalog-discovery/core/metrics.hpp"

namespace kopiur::catalog_discovery {

void measure(controller::objects const& all, metrics::registry& into) {
  rules::for_each_repository(all, [&](rules::any_repository const& one) {
    auto ref = one.ref();
    metrics::labels which{{"kind", ref.kind}, {"namespace", ref.namespace_}, {"repository", ref.name}};
    bool ready = one.status->phase == proto::repository_phase::Ready;
    into.set("kopiur_repository_ready", "Whether the repository can be used.", ready ? 1 : 0, which);
    if (!one.status->storage_stats) return;
    into.set("kopia_repo_size_bytes", "Sum of the newest snapshot of each source.",
             static_cast<double>(one.status->storage_stats->total_size), which);
    into.set("kopiur_repository_snapshots", "Snapshots in the repository.", static_cast<double>(one.status->storage_stats->snapshot_count),
             which);
  });
}

}  // namespace kopiur::catalog_discovery
