#include "services/gateway/admission/rotation.hpp"

#include <gtest/gtest.h>

#include <set>

namespace kopiur::gateway::kubernetes {
namespace {

using namespace std::chrono_literals;
using std::chrono::days;

std::vector<std::string> const names{"kopiur-gateway.kopiur-system.svc"};
instant const start{days(20'454)};
rotation_limits const limits;

/// The certificates of a gateway that started at `start`.
held_certificates begun() { return rotated({}, rotation_step::Both, names, start, limits); }
rotation_step due_at(held_certificates const& held, instant now, std::optional<instant> known_since = start) {
  return due(held, names, known_since, now, limits);
}

TEST(Rotation, IsDueWhenAThirdIsLeft) {
  auto held = begun();
  EXPECT_EQ(due_at({}, start), rotation_step::Both);
  EXPECT_EQ(due_at(held, start), rotation_step::Nothing);
  EXPECT_EQ(due_at(held, start + days(59)), rotation_step::Nothing);
  EXPECT_EQ(due_at(held, start + days(61)), rotation_step::Serving);
  EXPECT_EQ(due_at(held, start + days(91)), rotation_step::Serving) << "it has ended, nobody was there";
  EXPECT_EQ(due_at(held, start + days(244)), rotation_step::Both) << "so has it, and its authority is old";
  auto renewed = rotated(held, rotation_step::Serving, names, start + days(242), limits);
  EXPECT_EQ(due_at(renewed, start + days(242)), rotation_step::Nothing);
  EXPECT_EQ(due_at(renewed, start + days(244)), rotation_step::Authority);
  EXPECT_EQ(due_at(held, start - days(1)), rotation_step::Both) << "the clock stood wrong when it was made";
}

TEST(Rotation, LetsANewAuthoritySignOnceItIsKnown) {
  auto now = start + days(244);
  auto held = rotated(rotated(begun(), rotation_step::Serving, names, now, limits), rotation_step::Authority, names, now, limits);
  EXPECT_EQ(held.authorities.size(), 2);
  EXPECT_EQ(due_at(held, now + days(1), std::nullopt), rotation_step::Nothing) << "the API server does not know it";
  EXPECT_EQ(due_at(held, now + 9min, now), rotation_step::Nothing);
  EXPECT_EQ(due_at(held, now + 11min, now), rotation_step::Serving);
  EXPECT_EQ(due_at(held, now + days(91), std::nullopt), rotation_step::Serving) << "nothing that is taken is left to lose";
  auto done = rotated(held, rotation_step::Serving, names, now + 11min, limits);
  EXPECT_EQ(due_at(done, now + 11min), rotation_step::Nothing);
  EXPECT_EQ(done.authorities.size(), 2) << "replicas serve the former one for a while";
  EXPECT_EQ(rotated(done, rotation_step::Serving, names, start + days(366), limits).authorities.size(), 1) << "it has ended";
}

TEST(Rotation, ReplacesWhatNobodyWouldTake) {
  auto other = begun();
  auto changed = [&](auto change) {
    auto held = begun();
    change(held);
    return due_at(held, start);
  };
  EXPECT_EQ(changed([&](auto& h) { h.serving = other.serving; }), rotation_step::Serving) << "of another authority";
  EXPECT_EQ(changed([&](auto& h) { h.serving.key = other.serving.key; }), rotation_step::Serving);
  EXPECT_EQ(changed([&](auto& h) { h.serving.certificate = "none"; }), rotation_step::Serving);
  EXPECT_EQ(changed([&](auto& h) { h.authority_key.clear(); }), rotation_step::Authority) << "as a chart had made it";
  EXPECT_EQ(changed([&](auto& h) { h.authorities.clear(); }), rotation_step::Both);
  EXPECT_EQ(due(begun(), {"renamed.kopiur-system.svc"}, start, start, limits), rotation_step::Serving);
}

TEST(Rotation, TravelsThroughASecret) {
  auto held = rotated(begun(), rotation_step::Authority, names, start + days(244), limits);
  json::value secret = json::object{{"kind", "Secret"}, {"data", secret_data(held)}};
  EXPECT_EQ(from_secret(secret), held);
  EXPECT_EQ(from_secret(json::object{{"kind", "Secret"}}), held_certificates{});
}

/// Three years: the active gateway looks every six days, and is sometimes down for three weeks. Another replica is always one look behind.
TEST(Rotation, NeverServesWhatTheApiServerDoesNotTake) {
  held_certificates held;
  pem_pair other;       // served by the replica
  std::string trusted;  // by the API server
  std::optional<instant> known_since;
  std::set<std::string> served, authorities;
  int refused = 0;
  for (auto now = start; now < start + days(3 * 365); now += days(6)) {
    other = held.serving;
    bool away = (now - start) / days(1) % 100 < 21 && now > start + days(100);
    if (!away) {
      if (trusted != held.bundle())
        known_since.reset();
      else if (!known_since)
        known_since = now;
      if (auto step = due_at(held, now, known_since); step != rotation_step::Nothing) {
        held = rotated(held, step, names, now, limits);
        EXPECT_LE(held.authorities.size(), 2);
      }
      bool first = trusted.empty();
      for (auto* each : {&other, &held.serving})  // before the new bundle is trusted
        if (!first && !is_taken(each->certificate, trusted, names[0], now)) ++refused;
      if (trusted != held.bundle()) known_since.reset();  // trusted from the next look on
      trusted = held.bundle();
    }
    if (now > start)
      for (auto* each : {&other, &held.serving}) refused += !is_taken(each->certificate, trusted, names[0], now);
    served.insert(held.serving.certificate), authorities.insert(held.authorities.front());
  }
  EXPECT_EQ(refused, 0);
  EXPECT_GE(served.size(), 14);
  EXPECT_LE(served.size(), 26);
  EXPECT_GE(authorities.size(), 4);
  EXPECT_LE(authorities.size(), 6);
}

}  // namespace
}  // namespace kopiur::gateway::kubernetes
