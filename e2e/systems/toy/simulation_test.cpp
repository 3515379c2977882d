#include "e2e/simulation/regressions/scenario.hpp"

/// The toy system in the simulated cluster, beside kopiur's own: with its three replicas, and with the faults of each seed.
namespace kopiur::simulation {
namespace {

json::value echo_of(std::string const& name, std::string const& text) {
  return json::object{{"apiVersion", "toy.kopiur.test/v1"},
                      {"kind", "Echo"},
                      {"metadata", json::object{{"name", name}, {"namespace", "bob"}}},
                      {"spec", json::object{{"text", text}}}};
}

bool has_said(script acts, std::string const& name) {
  auto* one = acts.object("Echo", "bob", name);
  return is(one, "Succeeded") && one->text("status.said") == "hello " + name;
}

TEST(Toy, PrintsItsTextOnce) {
  expect_no_violation(1h, [](script acts) {
    acts.create(echo_of("one", "hello one"));
    acts.within(10min, "what the container printed", [acts] { return has_said(acts, "one"); });
  });
}

/// The object's status is all that remains. A second run would print the new text.
TEST(Toy, IsNotStartedAgainAfterTheBusWasLost) {
  expect_no_violation(2h, [](script acts) {
    acts.create(echo_of("one", "hello one"));
    acts.when(
        "it has been printed", [acts] { return has_said(acts, "one"); },
        [acts] {
          acts.edit(*acts.object("Echo", "bob", "one"), [](json::value& spec) { spec.set("text", "again"); });
          acts.at(1min, [acts] { acts.lose_bus(); });
          acts.at(30min, [acts] { EXPECT_TRUE(has_said(acts, "one")); });
        });
  });
}

/// A text that the container refuses: the run fails after its attempts, with the reason in the status.
TEST(Toy, FailsWithTheMessageOfItsContainer) {
  expect_no_violation(2h, [](script acts) {
    acts.create(echo_of("one", ""));
    acts.within(1h, "the failure", [acts] {
      auto* one = acts.object("Echo", "bob", "one");
      return is(one, "Failed") && json::dump(*one).contains("The container echo failed: exit status 1.");
    });
  });
}

}  // namespace
}  // namespace kopiur::simulation
