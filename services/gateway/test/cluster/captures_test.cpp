#include "services/gateway/kubernetes/volumes/captures.hpp"

#include "services/gateway/test/cluster/api.hpp"

namespace kopiur::gateway::kubernetes {
namespace {

using proto::answer_code;

/// A cluster without group snapshots; e2e/cluster/copies.sh tests captures with them.
TEST(Captures, AreRefusedInWordsWhereTheClusterHasNoGroups) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage_base it(loop, "captures");
    co_await it.make_namespace();
    captures together(it.api, it.time);
    proto::capture const capture{.name = "capture-1", .group = "nightly", .claims = {"data", "wal"}};
    auto waits = co_await together.snapshot_in(it.ns, capture, "data", snapshot_state::ready, false);
    EXPECT_EQ(waits.error().code, answer_code::Unavailable) << "the claims may come";
    for (auto& claim : capture.claims)
      must(co_await it.all.apply(json::parse(R"({"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":")" + claim +
                                             R"(","namespace":")" + it.ns +
                                             R"("},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}})")
                                     .value()));
    auto refused = co_await together.snapshot_in(it.ns, capture, "data", snapshot_state::ready, false);
    EXPECT_EQ(refused.error().code, answer_code::Invalid);
    EXPECT_NE(refused.error().message.find("groupBy None"), std::string::npos) << refused.error().message;
    auto marked = [&](std::string claim) -> awaitable<std::string> {
      auto there = must(co_await it.all.read({"PersistentVolumeClaim", it.ns, std::move(claim), ""}));
      co_return std::string(label(there, capture_label("capture-1")));
    };
    EXPECT_EQ(co_await marked("wal"), "nightly") << "who looks for what is left finds it";
    must(co_await together.remove({.namespace_ = it.ns, .name = "capture-1", .claims = {"data", "wal", "gone"}}));
    EXPECT_EQ(co_await marked("wal"), "");
    must(co_await together.remove({.namespace_ = it.ns, .name = "capture-1", .claims = {"data"}}));
  });
}

}  // namespace
}  // namespace kopiur::gateway::kubernetes
