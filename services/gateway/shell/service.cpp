#include "services/gateway/shell/service.hpp"

#include <algorithm>

#include "common/encoding/join.hpp"
#include "services/gateway/admission/admission.hpp"
#include "services/gateway/kubernetes/kubernetes_cluster.hpp"
#include "services/gateway/local/local_cluster.hpp"
#include "services/gateway/shell/serve.hpp"
#include "services/systems/systems.hpp"

namespace kopiur::gateway {

namespace {

namespace asio = boost::asio;
using sentence_taker = std::function<void(std::string)>;
constexpr duration look_again{500};

std::unique_ptr<cluster> folder_of(asio::any_io_executor loop, clock& time, options const& options, sentence_taker report) {
  local::local_settings settings{.data = options.data,
                                 .manifests = options.manifests,
                                 .mover = local::movers_of_host(options.mover),
                                 .check = admission,
                                 .configurations = options.configurations,
                                 .report = std::move(report)};
  return std::make_unique<local::local_cluster>(loop, time, std::move(settings));
}

/// Opens the folder: a replica waits while another process uses it; any other process is refused.
awaitable<std::unique_ptr<cluster>> folder_in_turn(clock& time, options const& options, sentence_taker report) {
  auto loop = co_await asio::this_coro::executor;
  for (std::string told;; co_await time.sleep_for(look_again)) {
    try {
      co_return folder_of(loop, time, options, report);
    } catch (local::folder_in_use const& taken) {
      if (!options.stand_by) throw;
      if (taken.holder() == told) continue;
      told = taken.holder();
    }
    report("The process " + told + " has the data folder " + options.data + "; standing by until it ends.");
  }
}

/// With the given certificate, or with one that the gateway issues.
void add_webhook(kubernetes::cluster_settings& settings, kubernetes_options const& options) {
  settings.webhook = {.address = options.webhook,
                      .certificate = kubernetes::files_of(options.webhook_certificate, options.webhook_key),
                      .origin = options.webhook_certificate + ", " + options.webhook_key,
                      .client_ca = options.webhook_client_ca};
  if (options.webhook_secret.empty() && options.webhook_service.empty() && options.webhook_configuration.empty()) return;
  if (options.webhook_secret.empty() || options.webhook_service.empty() || options.webhook_configuration.empty())
    throw std::runtime_error(
        "Of KOPIUR_WEBHOOK_SERVICE, KOPIUR_WEBHOOK_SECRET and KOPIUR_WEBHOOK_CONFIGURATION some are set: set all of them, or none.");
  settings.certificates = {.namespace_ = settings.own_namespace,
                           .secret = options.webhook_secret,
                           .configuration = options.webhook_configuration,
                           .names = {options.webhook_service + "." + settings.own_namespace + ".svc"}};
}

bool is_in(std::vector<std::string> const& names, std::string_view name) { return std::ranges::find(names, name) != names.end(); }

/// A sentence when there is no system of one of the names.
std::optional<std::string> unknown_system(std::vector<std::string> const& names) {
  for (auto const& each : names)
    if (std::ranges::find(systems(), each, &controller::system::name) == systems().end())
      return "KOPIUR_SYSTEMS names \"" + each +
             "\", and there is no system of that name. There are: " + encoding::join(systems(), ", ", [](auto* one) { return one->name; }) +
             ".";
  return {};
}

/// A sentence when one of these Deployments is none.
std::optional<std::string> no_deployment(std::map<std::string, std::string> const& all) {
  for (auto const& [system, name] : all)
    if (kubernetes::path_of_deployment(name).empty())
      return "KOPIUR_OTHER_OPERATORS names \"" + name + "\" for " + system + ": it has to be namespace/name of a Deployment.";
  return {};
}

/// Receives the expiry of the webhook's certificate.
using certificate_watcher = std::function<void(instant)>;

awaitable<std::unique_ptr<kubernetes::kubernetes_cluster>> cluster_of(clock& time, kubernetes_options options,
                                                                      controller::configurations configurations, sentence_taker report,
                                                                      certificate_watcher certificate_is_good_until) {
  auto hooks = parse_hook_policy(options.hooks_http_allow, options.cluster_domain);
  if (!hooks) throw std::runtime_error(hooks.error());
  auto who = options.kubeconfig.empty() ? kubernetes::from_pod() : kubernetes::from_kubeconfig(options.kubeconfig, options.context);
  if (!who) throw std::runtime_error(who.error());
  if (auto unknown = unknown_system(options.systems)) throw std::runtime_error(*unknown);
  if (auto why = no_deployment(options.other_operators)) throw std::runtime_error(*why);
  bool runs = std::ranges::any_of(systems(), [&](auto* one) { return !one->plans.empty() && is_in(options.systems, one->name); });
  if (runs && options.mover_image.empty()) throw std::runtime_error("The image of the mover is not set: name it in KOPIUR_MOVER_IMAGE.");
  kubernetes::cluster_settings settings{
      .who = std::move(*who),
      .own_namespace = options.own_namespace,
      .namespace_ = options.only_namespace,
      .systems = options.systems,
      .runs = runs,
      .lease = options.lease,
      .component = options.component,
      .secret_selector = options.secret_selector,
      .notes = !options.private_bus,
      .other_operators = options.other_operators,
      .pods = {.image = options.mover_image, .pull_policy = options.mover_pull_policy, .images = options.images},
      .hooks = std::move(*hooks),
      .report = std::move(report)};
  settings.pods.mover_resources = options.mover_resources;
  if (settings.own_namespace.empty()) settings.own_namespace = settings.who.namespace_;
  if (!options.webhook.empty()) {
    add_webhook(settings, options);
    settings.webhook->taken = std::move(certificate_is_good_until);
    settings.webhook->configurations = std::move(configurations);
    if (options.wait_for_certificate) settings.webhook->missing = settings.report;
  }
  co_return co_await kubernetes::kubernetes_cluster::open(time, std::move(settings));
}

/// The secret values of all systems' configurations.
decltype(ports::configured) configured_values(controller::configurations all) {
  return [all = std::move(all)](proto::configured_value const& wanted) -> std::optional<std::string> {
    auto config = controller::configuration_of(all, wanted.system);
    return config ? config->secret(wanted.name, wanted.field) : std::nullopt;
  };
}

/// Shows the cluster to the service's readers while it lives.
class during {
 public:
  during(kubernetes::kubernetes_cluster const*& place, kubernetes::kubernetes_cluster const& cluster) : place_(place) { place_ = &cluster; }
  during(during const&) = delete;
  ~during() { place_ = nullptr; }

 private:
  kubernetes::kubernetes_cluster const*& place_;
};

awaitable<void> take_turn(kubernetes::kubernetes_cluster& cluster, ports ports, serve_options options, std::function<void()> active) {
  co_await cluster.acquire();
  active();
  co_await gateway::serve(ports, options);
}

/// Stands by, and serves when it becomes active; releases the Lease at the end, so that the next gateway need not wait.
awaitable<void> serve_cluster(kubernetes::kubernetes_cluster& cluster, ports ports, serve_options options, std::function<void()> active) {
  std::exception_ptr ended;
  try {
    co_await app::first_of(cluster.stand_by(), take_turn(cluster, ports, options, std::move(active)));
  } catch (...) {
    ended = std::current_exception();
  }
  co_await asio::this_coro::reset_cancellation_state(asio::enable_total_cancellation());
  co_await cluster.release();
  if (ended) std::rethrow_exception(ended);
}

}  // namespace

awaitable<void> service::serve() {
  auto report = [tell = tell_](std::string const& sentence) {
    journal.warning("cluster", {{"what", sentence}});
    if (tell) tell(sentence);
  };
  auto over = [this, configured = configured_values(options_.configurations)](cluster& cluster) {
    ports all{bus_, time_, cluster, options_.cluster, &counted_, &behind_};
    all.configured = configured;
    return all;
  };
  serve_options const options{.restore_by_request = options_.restore_by_request};
  if (options_.kubernetes) {
    auto count = [this](instant until) {
      auto seconds = std::chrono::duration<double>(until.time_since_epoch()).count();
      counted_.set("kopiur_webhook_certificate_expiry_timestamp_seconds", "When the certificate that the webhook serves ends.", seconds);
    };
    auto cluster = co_await cluster_of(time_, *options_.kubernetes, options_.configurations, report, count);
    during now(cluster_, *cluster);
    co_await serve_cluster(*cluster, over(*cluster), options, [this] { activated_.notify(); });
  } else {
    auto cluster = co_await folder_in_turn(time_, options_, report);
    co_await gateway::serve(over(*cluster), options);
  }
}

std::string service::why_not_serving() const {
  if (!options_.kubernetes) return {};
  return cluster_ ? cluster_->why_not_serving() : "it connects to the cluster";
}

bool service::leads() const { return cluster_ && cluster_->leads(); }

awaitable<void> service::until_active() {
  while (!leads()) co_await activated_.wait(activated_.epoch());
}

}  // namespace kopiur::gateway
