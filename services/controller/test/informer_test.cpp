#include "services/controller/shell/informer.hpp"

#include <gtest/gtest.h>

#include <boost/asio.hpp>

#include "common/testing/memory_port.hpp"
#include "proto/codec.hpp"
#include "proto/streams.hpp"
#include "proto/subjects.hpp"

namespace kopiur::controller {
namespace {

using namespace proto;
using namespace std::chrono_literals;

/// An informer of these kinds, on the bus in memory.
struct stage {
  testing::world home;
  testing::bus_net net{home};
  std::shared_ptr<testing::process> who;
  informer* objects = nullptr;
  std::vector<std::string> told;
  bool listed = false;

  explicit stage(std::vector<std::string> kinds) {
    for (auto const& each : proto::streams(1)) EXPECT_TRUE(net.server().ensure(each));
    who = home.start("service", [this, kinds](testing::process& self) -> boost::asio::awaitable<void> {
      testing::sim_clock time(self);
      testing::memory_port bus(self, net);
      service_context here{bus, time, self.loop().get_executor(), "local", "service"};
      informer one(here, kinds, log::logger("service"));
      one.on_change(nullptr, [this](object_ref const& changed) { told.push_back(changed.kind + " " + changed.name); });
      objects = &one;
      app::nursery all(here.loop);
      auto wait = [](informer& until, bool& done) -> boost::asio::awaitable<void> {
        co_await until.until_listed();
        done = true;
      };
      all.spawn(one.run()), all.spawn(wait(one, listed));
      co_await all.join();
    });
    go();
  }
  void go() { home.run_until(home.now() + 1s); }
  void publish(std::string subject, std::string body) {
    EXPECT_TRUE(net.server().publish({.subject = std::move(subject), .body = std::move(body)}));
    go();
  }
};

/// A kind that is not installed holds up nobody, and a service that follows the kind hears of it as of its objects.
TEST(Informer, TellsTheStateOfAForeignKindToThoseThatFollowIt) {
  auto const subject = subjects::kind_state("local", "VolumeSnapshotClass");
  stage follows({"VolumeSnapshotClass"}), does_not({"Backup"});
  for (auto* it : {&follows, &does_not}) {
    it->publish(subject, json::write(kind_state{kind_presence::NotInstalled, {}}));
    EXPECT_FALSE(it->listed);
    it->publish(subjects::resources_listed("local"), "{}");
    EXPECT_TRUE(it->listed);
  }
  EXPECT_EQ(follows.told, (std::vector<std::string>{"VolumeSnapshotClass -", "- listed"}));
  EXPECT_EQ(follows.objects->objects().presence_of<volume_snapshot_class>(), kind_presence::NotInstalled);
  follows.publish(subject, json::write(kind_state{kind_presence::Listed, {}}));
  EXPECT_TRUE(follows.objects->objects().listed) << "it says nothing of the others";
  EXPECT_EQ(follows.objects->objects().presence_of<volume_snapshot_class>(), kind_presence::Listed);
  EXPECT_EQ(does_not.told, std::vector<std::string>{"- listed"});
  EXPECT_EQ(does_not.objects->objects().presence_of<volume_snapshot_class>(), kind_presence::Unknown);
}

/// A status that sums up several objects is made from all of them, so a change of any makes its source newer (seed 795987437).
TEST(Informer, SourceCountsTheMessagesOfAllObjects) {
  stage it({"Backup"});
  it.publish(subjects::resource("local", "Backup", "home", "parent"), "{}");
  object_ref parent{"Backup", "home", "parent", {}};
  EXPECT_EQ(it.objects->source_of_all(), it.objects->source_of(parent));
  auto before = it.objects->source_of_all();
  it.publish(subjects::resource("local", "Backup", "home", "member"), "{}");
  EXPECT_TRUE(is_older(before, it.objects->source_of_all()));
  EXPECT_EQ(it.objects->source_of(parent), before);
  before = it.objects->source_of_all();
  it.publish(subjects::resource("local", "Backup", "home", "member"), "");
  EXPECT_TRUE(is_older(before, it.objects->source_of_all())) << "a deletion counts too";
}

}  // namespace
}  // namespace kopiur::controller
