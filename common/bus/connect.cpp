#include "common/bus/connect.hpp"

#include <nats/nats.h>
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <boost/asio.hpp>
#include <cstdlib>
#include <optional>
#include <thread>

namespace kopiur::bus {

namespace {

/// Applies steps until one fails.
struct applied {
  natsStatus status = NATS_OK;
  std::string problem;

  applied& also(bool wanted, char const* what, auto step) {
    if (status != NATS_OK || !wanted) return *this;
    status = step();
    if (status == NATS_OK) return *this;
    char const* text = nats_GetLastError(nullptr);
    problem = std::string(what) + ": " + natsStatus_GetText(status) + (text && *text ? std::string(", ") + text : "");
    return *this;
  }
};

bool wants_tls(nats_options const& from) {
  auto const& [authorities, certificate, key] = from.tls;
  bool asked = std::ranges::any_of(from.urls, [](std::string const& url) { return url.starts_with("tls://"); });  // nats.c ignores it
  return asked || !authorities.empty() || !certificate.empty();
}

/// Why the server refuses this client, with the remedy; nothing when a later try may succeed.
std::optional<std::string> refusal_of(natsStatus status, std::string const& text) {
  if (status == NATS_CONNECTION_AUTH_FAILED || status == NATS_NOT_PERMITTED) return "the bus refuses the login: " + text;
  if (status == NATS_SSL_ERROR)
    return "the bus and we do not agree on TLS (" + text +
           "): its certificate must be signed by an authority in our CA file, be in date, and name the host of the URL; ours must be one "
           "that it trusts.";
  if (status == NATS_SECURE_CONNECTION_WANTED) return "TLS was requested, and the bus does not offer it: write its URL with nats://.";
  return std::nullopt;
}

/// Starts nats.c's threads, once, as SCHED_BATCH, so that waking them never takes the loop's core (threads inherit their creator's policy).
/// One of them frees messages and wakes for each; on a busy machine that would cost two context switches a message.
void open_library() {
  static bool const opened = [] {
    std::thread([] {
      sched_param const usual{};
      pthread_setschedparam(pthread_self(), SCHED_BATCH, &usual);  // if refused: slower, nothing else
      nats_Open(-1);                                               // a failure appears again with the options
    }).join();
    return true;
  }();
  static_cast<void>(opened);
}

/// nats.c 3.4.1 sends no signature that begins with a zero byte, one in 256, and the server refuses the login: this attempt ends, and the
/// next one gets another nonce.
natsStatus sign(char**, unsigned char** signature, int* length, char const* nonce, void* seed) {
  auto status = nats_Sign(static_cast<std::string const*>(seed)->c_str(), nonce, signature, length);
  if (status != NATS_OK || **signature != 0) return status;
  std::free(std::exchange(*signature, nullptr));
  return NATS_NOT_YET_CONNECTED;
}

connect_outcome connect_here(natsOptions* options) {
  connect_outcome out;
  auto status = natsConnection_Connect(&out.connection, options);
  if (status == NATS_OK) return out;
  char const* text = nats_GetLastError(nullptr);
  natsConnection_Destroy(std::exchange(out.connection, nullptr));  // there is one if the attempt counts as not yet made
  out.problem = text && *text ? text : natsStatus_GetText(status);
  auto refusal = refusal_of(status, out.problem);
  out.refused = refusal.has_value();
  if (refusal) out.problem = *std::move(refusal);
  return out;
}

}  // namespace

void destroy_options::operator()(natsOptions* options) const { natsOptions_Destroy(options); }

std::expected<owned_options, std::string> make_options(nats_options const& from, std::vector<std::string> const& also) {
  open_library();
  natsOptions* raw = nullptr;
  if (natsOptions_Create(&raw) != NATS_OK) return std::unexpected("no memory for the options");
  owned_options made(raw, {.seed = std::make_unique<std::string>(from.seed)});
  std::vector<char const*> urls;
  for (auto* some : {&from.urls, &also})
    for (auto const& url : *some) urls.push_back(url.c_str());
  applied all;
  all.also(true, "the server URLs", [&] { return natsOptions_SetServers(raw, urls.data(), static_cast<int>(urls.size())); })
      .also(!from.name.empty(), "the name", [&] { return natsOptions_SetName(raw, from.name.c_str()); })
      .also(!from.user.empty(), "the user", [&] { return natsOptions_SetUserInfo(raw, from.user.c_str(), from.password.c_str()); })
      .also(!from.credentials.empty(), "the credentials file",
            [&] { return natsOptions_SetUserCredentialsFromFiles(raw, from.credentials.c_str(), nullptr); })
      .also(!from.nkey.empty(), "the nkey",
            [&] { return natsOptions_SetNKey(raw, from.nkey.c_str(), sign, made.get_deleter().seed.get()); })
      .also(wants_tls(from), "TLS", [&] { return natsOptions_SetSecure(raw, true); })
      .also(!from.tls.authorities.empty(), "the TLS authorities",
            [&] { return natsOptions_LoadCATrustedCertificates(raw, from.tls.authorities.c_str()); })
      .also(!from.tls.certificate.empty(), "the TLS certificate",
            [&] { return natsOptions_LoadCertificatesChain(raw, from.tls.certificate.c_str(), from.tls.key.c_str()); })
      .also(true, "reconnecting", [&] { return natsOptions_SetAllowReconnect(raw, false); })
      .also(true, "the time limit", [&] { return natsOptions_SetTimeout(raw, 2000); })
      .also(true, "sending", [&] { return natsOptions_SetSendAsap(raw, true); })      // else a flusher thread waits 1 ms
      .also(true, "the pings", [&] { return natsOptions_SetPingInterval(raw, 0); });  // they use the wall clock; we have our own
  if (all.status != NATS_OK) return std::unexpected("cannot use " + all.problem);
  return made;
}

connecting::connecting(asio::io_context& loop, owned_options options)
    : loop_(loop), options_(std::move(options)), over_(std::make_shared<app::event>(loop.get_executor())), thread_([this] { run(); }) {}

connecting::~connecting() { natsConnection_Destroy(take().connection); }

void connecting::run() {
  outcome_ = connect_here(options_.get());
  std::lock_guard held(guard_);
  if (!told_) return;
  asio::post(loop_, [this, still = std::weak_ptr(over_)] {
    auto over = still.lock();
    if (!over) return;
    is_over_ = true;
    over->notify();
  });
}

asio::awaitable<void> connecting::until_over() {
  while (!is_over_) co_await over_->wait(over_->epoch());
}

connect_outcome connecting::take() {
  {
    std::lock_guard held(guard_);
    told_ = false;
  }
  if (thread_.joinable()) thread_.join();
  return std::exchange(outcome_, {});
}

std::vector<std::string> discovered_by(natsConnection* nats, nats_options const& options) {
  std::vector<std::string> found;
  char** urls = nullptr;
  int count = 0;
  if (wants_tls(options) || natsConnection_GetDiscoveredServers(nats, &urls, &count) != NATS_OK) return found;
  for (int i = 0; i < count; ++i) {
    found.emplace_back(urls[i]);
    std::free(urls[i]);
  }
  std::free(urls);
  return found;
}

}  // namespace kopiur::bus
