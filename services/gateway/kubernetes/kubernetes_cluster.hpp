#pragma once
#include "common/app/semaphore.hpp"
#include "common/kubernetes/leader.hpp"
#include "services/gateway/admission/access_review.hpp"
#include "services/gateway/admission/decoded_objects.hpp"
#include "services/gateway/admission/webhook.hpp"
#include "services/gateway/admission/webhook_certificates.hpp"
#include "services/gateway/kubernetes/jobs/jobs.hpp"
#include "services/gateway/kubernetes/objects/watch.hpp"
#include "services/gateway/kubernetes/volumes/copies.hpp"
#include "services/gateway/kubernetes/volumes/populator.hpp"
#include "services/gateway/shell/change_hub.hpp"

namespace kopiur::gateway::kubernetes {

struct cluster_settings {
  access who;
  std::string own_namespace = "kopiur-system";           ///< for notes, and the secret that seals Jobs and marks
  std::string namespace_;                                ///< the only namespace that is served; empty: all
  std::vector<std::string> systems{"kopiur"};            ///< whose kinds are watched
  bool runs = true;                                      ///< one of them has runs: Jobs, volumes, and the secret that seals both are needed
  std::string lease = "kopiur-gateway";                  ///< of the active gateway; empty: there is only this one
  std::string component = "kopiur";                      ///< who reports Events
  std::string secret_selector{};                         ///< labels of the watched Secrets; empty: all but those of Jobs
  bool notes = true;                                     ///< false: note() has nothing, and keep_note() does nothing
  std::map<std::string, std::string> other_operators{};  ///< by system, instead of kind_info::other_operator
  pod_settings pods;
  hook_policy hooks{};
  std::optional<webhook_settings> webhook{};                            ///< nothing: no webhook
  std::optional<certificate_settings> certificates{};                   ///< of the webhook, when the gateway issues them
  std::function<void(std::string)> report = [](std::string const&) {};  ///< receives sentences for the operator
};

/// A Kubernetes cluster behind the gateway's port.
class kubernetes_cluster final : public cluster {
 public:
  /// Connects, and reads (or creates) the secret that seals Jobs; retries until the API server answers. Throws std::runtime_error with a
  /// sentence when that is impossible: invalid certificates, or an account without the rights.
  static awaitable<std::unique_ptr<kubernetes_cluster>> open(clock& time, cluster_settings settings);

  /// The work of every gateway of the cluster, also of a standby: it watches objects, so that it can take over at once, and reviews what
  /// users write. Ends by cancellation, or with a permanent error.
  awaitable<void> stand_by();
  /// Returns once no other gateway of the cluster is active (leader.hpp).
  awaitable<void> acquire();
  /// Whether no other gateway can be active by now.
  bool leads() const { return leader_ ? leader_->leads() : active_; }
  /// A sentence until the objects of the cluster are known and the webhook listens.
  std::string why_not_serving() const;
  /// Ends with a std::runtime_error once another gateway may be active.
  awaitable<void> run() override;
  /// Lets another gateway become active at once. Must be the last call.
  awaitable<void> release();
  std::unique_ptr<cluster_feed> follow() override;
  awaitable<outcome<json::value>> read(proto::object_ref object) override;
  std::optional<json::value> known(object_key const& key) const override { return watch_.object(key); }
  awaitable<outcome<json::value>> create(json::value manifest) override;
  awaitable<outcome<json::value>> apply(json::value manifest) override;
  awaitable<outcome<json::value>> patch(proto::patch_metadata patch) override;
  awaitable<outcome<json::value>> remove(proto::delete_object command) override;
  awaitable<outcome<json::value>> write_status(json::value read, json::value status) override;
  awaitable<outcome<std::string>> create_job(proto::create_job job) override;
  awaitable<outcome<void>> delete_job(proto::delete_job job) override;
  awaitable<outcome<void>> capture_volumes(proto::capture_volumes command) override;
  awaitable<outcome<void>> delete_capture(proto::delete_capture command) override;
  awaitable<outcome<json::value>> mint(minted_secret wanted) override { return objects_.mint(std::move(wanted)); }
  awaitable<outcome<json::value>> drop(proto::drop_secret command) override { return objects_.drop(std::move(command)); }
  awaitable<outcome<std::string>> secret(std::string ns, std::string name, std::string key) override;
  hook_policy const* http_policy() const override { return &settings_.hooks; }
  awaitable<outcome<json::array>> endpoint_slices(std::string ns, std::string service) override;
  awaitable<outcome<void>> exec(proto::exec_in_pod command) override;
  awaitable<outcome<void>> run_job(proto::run_user_job job) override;
  awaitable<outcome<void>> record_event(proto::record_event event) override;
  awaitable<std::optional<std::string>> note(std::string name) override;
  awaitable<void> keep_note(std::string name, std::string text) override;
  seals const& marks() const override { return marks_; }

 private:
  kubernetes_cluster(clock& time, asio::any_io_executor loop, std::unique_ptr<client> api, cluster_settings settings);
  void listed_one();
  std::vector<cluster_change> now(object_key const& key) const;
  bool all_told() const { return watch_.told() && (!settings_.runs || jobs_.told()); }
  awaitable<void> answer_reviews();
  awaitable<void> run_jobs();
  void tell(cluster_change change);
  app::semaphore& writers_of(object_key const& key);

  clock& time_;
  asio::any_io_executor loop_;
  cluster_settings settings_;
  std::unique_ptr<client> api_;
  seals marks_;
  std::optional<kopiur::kubernetes::leader> leader_;
  bool active_ = false, reviews_ = false;  // it has acquired; its webhook listens
  app::event told_;                        // the watch has told all that exists
  std::optional<webhook_certificates> certificates_;
  objects objects_;
  change_hub hub_;
  decoded_objects judged_;  // only with a webhook
  watch watch_;
  jobs jobs_;
  populator populator_;
  captures captures_;
  copies copies_;
  access_reviewer access_;
  std::map<object_key, app::semaphore> writers_;
};

}  // namespace kopiur::gateway::kubernetes
