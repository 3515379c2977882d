#include <cstdlib>
#include <fstream>

#include "common/encoding/base64.hpp"
#include "e2e/manifests/cases.hpp"
#include "proto/codec.hpp"
#include "services/gateway/core/names.hpp"
#include "services/mover-orchestration/core/stages.hpp"

#include <gtest/gtest.h>

/// Golden files: the manifests that follow from a plan, through the engine and the gateway. KOPIUR_WRITE_GOLDEN=1 writes them anew.
namespace kopiur::manifests {
namespace {

proto::create_job command_of(job_case const& one) {
  proto::run_state run{.run = "run-1", .cluster = "c", .stage = proto::run_stage::Committed, .plan = one.plan, .attempt = 1};
  run.prepared_at = run.ordered_at = run.changed_at = instant{};
  run.undoing = one.undoing;
  mover_orchestration::observation seen{.now = instant{},
                                        .answer = [](std::string_view, std::string_view) { return nullptr; },
                                        .lease = [](std::string_view) { return nullptr; }};
  for (auto& each : mover_orchestration::committed(run, seen).asks)
    if (auto* command = std::get_if<proto::gateway_command>(&each.what))
      if (auto* create = std::get_if<proto::create_job>(command)) return *create;
  ADD_FAILURE() << one.name << ": no Job is requested";
  return {};
}

/// The Job without its command and seal, and the mover's input.
std::string text_of(job_case const& one) {
  auto command = command_of(one);
  auto job = gateway::kubernetes::job_manifest(command, {.image = "mover:1", .seal_secret = "key"}, one.there);
  auto secret = gateway::kubernetes::job_secret(command, "uid", {});
  if (!job || !secret) return job ? secret.error().message : job.error().message;
  for (auto name : {"create-job", "seal"}) job->find("metadata")->find("annotations")->erase(gateway::ours(name));
  auto input = encoding::from_base64(secret->at("data")->find("work.json")->as_string()->c_str());
  return json::pretty(json::object{{"job", *job}, {"input", json::parse(*input).value()}}) + "\n";
}

std::string file_of(std::string const& name) { return std::string(KOPIUR_GOLDEN) + "/" + name + ".json"; }

TEST(Manifests, AreThoseOfTheGoldenFiles) {
  for (auto& one : job_cases()) {
    auto text = text_of(one);
    if (std::getenv("KOPIUR_WRITE_GOLDEN")) std::ofstream(file_of(one.name)) << text;
    std::ifstream file(file_of(one.name));
    std::string golden((std::istreambuf_iterator<char>(file)), {});
    EXPECT_EQ(text, golden) << one.name;
  }
}

}  // namespace
}  // namespace kopiur::manifests
