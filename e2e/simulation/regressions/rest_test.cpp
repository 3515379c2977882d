#include <algorithm>

#include "e2e/simulation/regressions/scenario.hpp"
#include "proto/kopiur/names.hpp"

/// The bus loses everything while an application is quiesced (seed 805890416): no run knows of it any more, and it must still be thawed.
namespace kopiur::simulation {
namespace {

using namespace std::chrono_literals;

/// Another event at the same moment, for all Backups of bob that are not over.
struct beside {
  char const* name;
  std::function<void(script, json::value const& backup)> happens;
};
std::ostream& operator<<(std::ostream& out, beside const& what) { return out << what.name; }

class AtRest : public ::testing::TestWithParam<std::tuple<bool, beside>> {};

TEST_P(AtRest, AnApplicationIsLetGoThoughTheBusLosesItsRun) {
  auto [of_several, with] = GetParam();
  for (auto moment : {0s, 2s, 20s})
    expect_no_violation(2h, [=](script acts) {
      // Between two slots of the schedule.
      acts.at(10min, [=] { acts.create(manual_backup("bob", "only", "all", of_several ? "" : "/pvc/one")); });
      acts.when(
          "an application that rests", [acts] { return acts.rests("bob"); },
          [=] {
            acts.at(moment, [=] {
              auto open = acts.objects("Backup", "bob");
              std::erase_if(open, [](auto* one) { return is_over(*one); });
              for (auto* one : open) with.happens(acts, *one);
              acts.lose_bus();
              acts.within(5min, "the end of the rest", [acts] { return !acts.rests("bob"); });
            });
          });
    });
}

beside const nothing_else{"NothingElse", [](script, json::value const&) {}};
beside const deletion{"Deletion", [](script acts, json::value const& one) { acts.remove(one); }};
beside const cancellation{"Cancellation",
                          [](script acts, json::value const& one) { acts.annotate(one, proto::annotation::cancel_run, "not now"); }};
/// Their runs are created again, and wait before they have a plan.
beside const suspension{"Suspension", [](script acts, json::value const&) {
                          acts.edit(*acts.object("Repository", "bob", "main"), [](json::value& spec) { spec.set("suspend", true); });
                        }};

INSTANTIATE_TEST_SUITE_P(With, AtRest,
                         ::testing::Combine(::testing::Bool(), ::testing::Values(nothing_else, deletion, cancellation, suspension)));

}  // namespace
}  // namespace kopiur::simulation
