#pragma once
#include <functional>
#include <memory>

#include "services/gateway/admission/decoded_objects.hpp"
#include "services/gateway/local/event_files.hpp"
#include "services/gateway/local/jobs.hpp"
#include "services/gateway/local/manifest_folder.hpp"
#include "services/gateway/shell/change_hub.hpp"

namespace kopiur::gateway::local {

struct local_settings {
  fs::path data;       ///< data folder, locked by this gateway
  fs::path manifests;  ///< folder of manifests, read-only; empty: none
  mover_settings mover;
  validator check;                                    ///< of manifests, and of objects that users apply
  controller::configurations configurations{};        ///< of the systems, for their rules
  std::function<void(std::string)> report = nullptr;  ///< receives sentences for the operator
};

/// A folder as a cluster (decisions.md section 10).
class local_cluster final : public cluster {
 public:
  /// Locks and reads the data folder; throws as object_store does.
  local_cluster(asio::any_io_executor loop, clock& time, local_settings settings);

  awaitable<void> run() override;
  std::unique_ptr<cluster_feed> follow() override;
  awaitable<outcome<json::value>> read(proto::object_ref object) override;
  std::optional<json::value> known(object_key const& key) const override;
  awaitable<outcome<json::value>> create(json::value manifest) override;
  awaitable<outcome<json::value>> apply(json::value manifest) override;
  awaitable<outcome<json::value>> patch(proto::patch_metadata patch) override;
  awaitable<outcome<json::value>> remove(proto::delete_object command) override;
  awaitable<outcome<json::value>> write_status(json::value read, json::value status) override;
  awaitable<outcome<std::string>> create_job(proto::create_job job) override;
  awaitable<outcome<void>> delete_job(proto::delete_job job) override;
  awaitable<outcome<void>> capture_volumes(proto::capture_volumes command) override;
  awaitable<outcome<void>> delete_capture(proto::delete_capture command) override;
  awaitable<outcome<json::value>> mint(minted_secret wanted) override;
  awaitable<outcome<json::value>> drop(proto::drop_secret command) override;
  awaitable<outcome<std::string>> secret(std::string ns, std::string name, std::string key) override;
  hook_policy const* http_policy() const override { return nullptr; }
  awaitable<outcome<json::array>> endpoint_slices(std::string ns, std::string service) override;
  awaitable<outcome<void>> exec(proto::exec_in_pod command) override;
  awaitable<outcome<void>> run_job(proto::run_user_job job) override;
  awaitable<outcome<void>> record_event(proto::record_event event) override;
  awaitable<std::optional<std::string>> note(std::string name) override;
  awaitable<void> keep_note(std::string name, std::string text) override;
  seals const& marks() const override { return marks_; }

 private:
  void told(object_key const& key, std::string const& uid, json::value const* now);
  outcome<json::value> settled(outcome<json::value> done);
  awaitable<void> watch_manifests();
  awaitable<void> sweep_events();
  void scan();
  json::value manifest_report() const;
  std::vector<cluster_change> all_but_objects() const;
  outcome<json::value> mint_over(json::value const& there, minted_secret const& wanted);
  std::optional<refusal> objection(json::value const& manifest) const;

  asio::any_io_executor loop_;
  clock& time_;
  local_settings settings_;
  change_hub hub_;
  object_store store_;
  decoded_objects judged_;
  seals marks_;
  volume_binder volumes_;
  event_files events_;
  manifest_folder manifests_;
  jobs jobs_;
  bool unsettled_ = true;  // claims or volumes changed since the last settle
};

}  // namespace kopiur::gateway::local
