#include <nats/nats.h>

#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "bench/bus/bench.hpp"

namespace kopiur::bench {

namespace {

using steady = std::chrono::steady_clock;

void must(natsStatus status, char const* what) {
  if (status != NATS_OK) throw std::runtime_error(std::string(what) + ": " + natsStatus_GetText(status));
}

/// A connection of nats.c, set up as its manual describes; returns the seconds that `work` took.
double timed(std::string const& url, std::function<void(jsCtx*)> work, jsOptions options) {
  natsOptions* raw_options = nullptr;
  must(natsOptions_Create(&raw_options), "options");
  std::unique_ptr<natsOptions, void (*)(natsOptions*)> owned_options(raw_options, natsOptions_Destroy);
  must(natsOptions_SetURL(raw_options, url.c_str()), "url");
  must(natsOptions_SetSendAsap(raw_options, true), "send at once");  // without it js_Publish waits for a flusher thread
  natsConnection* raw = nullptr;
  must(natsConnection_Connect(&raw, raw_options), "connect");
  std::unique_ptr<natsConnection, void (*)(natsConnection*)> owned(raw, natsConnection_Destroy);
  jsCtx* js = nullptr;
  must(natsConnection_JetStream(&js, raw, &options), "jetstream");
  std::unique_ptr<jsCtx, void (*)(jsCtx*)> owned_js(js, jsCtx_Destroy);
  auto start = steady::now();
  work(js);
  return std::chrono::duration<double>(steady::now() - start).count();
}

jsOptions defaults() {
  jsOptions options;
  jsOptions_Init(&options);
  return options;
}

}  // namespace

double publish_theirs_one_by_one(job const& what) {
  auto const subject = what.stream + ".x";
  return what.messages /
         timed(
             what.url,
             [&](jsCtx* js) {
               for (int i = 0; i < what.messages; ++i) {
                 jsPubAck* ack = nullptr;
                 must(js_Publish(&ack, js, subject.c_str(), what.body.data(), static_cast<int>(what.body.size()), nullptr, nullptr),
                      "publish");
                 jsPubAck_Destroy(ack);
               }
             },
             defaults());
}

double publish_theirs_async(job const& what) {
  auto const subject = what.stream + ".x";
  auto options = defaults();
  options.PublishAsync.MaxPending = what.in_flight;
  options.PublishAsync.StallWait = 30'000;  // otherwise a disk pause of 200 ms ends the bench
  return what.messages /
         timed(
             what.url,
             [&](jsCtx* js) {
               for (int i = 0; i < what.messages; ++i)
                 must(js_PublishAsync(js, subject.c_str(), what.body.data(), static_cast<int>(what.body.size()), nullptr), "publish");
               must(js_PublishAsyncComplete(js, nullptr), "complete");
             },
             options);
}

namespace {

/// Fetches the durable's messages and acks them one by one, until `count` have arrived or a Fetch returns fewer than requested. In nats.c
/// 3.4.1 the next Fetch writes beyond its array when messages of an earlier one are still pending, so the subscription is not used again.
/// Returns how many arrived.
int fetch_and_ack(jsCtx* js, job const& what, int count) {
  natsSubscription* raw = nullptr;
  jsSubOptions options;
  jsSubOptions_Init(&options);
  options.Stream = what.stream.c_str();
  options.Consumer = "workers";
  must(js_PullSubscribe(&raw, js, nullptr, nullptr, nullptr, &options, nullptr), "subscribe");
  std::unique_ptr<natsSubscription, void (*)(natsSubscription*)> owned(raw, natsSubscription_Destroy);
  int got = 0;
  for (bool whole = true; whole && got < count;) {
    natsMsgList list{};
    must(natsSubscription_Fetch(&list, raw, what.in_flight, 5000, nullptr), "fetch");
    for (int i = 0; i < list.Count; ++i) must(natsMsg_Ack(list.Msgs[i], nullptr), "ack");
    got += list.Count;
    whole = list.Count == what.in_flight;
    natsMsgList_Destroy(&list);
  }
  return got;
}

}  // namespace

double pull_theirs(job const& what) {
  auto all = [&](jsCtx* js) {
    for (int left = what.messages; left > 0;) left -= fetch_and_ack(js, what, left);
  };
  return what.messages / timed(what.url, all, defaults());
}

void drop_stream(std::string const& url, std::string const& name) {
  timed(url, [&](jsCtx* js) { must(js_DeleteStream(js, name.c_str(), nullptr, nullptr), "delete the stream"); }, defaults());
}

}  // namespace kopiur::bench
