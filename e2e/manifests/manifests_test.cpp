#include <cstdlib>
#include <fstream>

#include "common/encoding/base64.hpp"
#include "e2e/manifests/cases.hpp"
#include "proto/codec.hpp"
#include "services/gateway/core/names.hpp"
#include "services/mover-orchestration/core/stages.hpp"

#include <gtest/gtest.h>

/// Golden files: the manifests that follow from a plan, through the engine and the gateway. With KOPIUR_WRITE_GOLDEN=1 it writes them.
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

/// The order of members means nothing.
json::value sorted(json::value const& from) {
  if (auto* items = from.as_array()) {
    auto out = json::value::make_array();
    for (auto& each : *items) out.push(sorted(each));
    return out;
  }
  auto* members = from.as_object();
  if (!members) return from;
  std::map<std::string, json::value> by_name;
  for (auto& [name, content] : *members) by_name.emplace(name, sorted(content));
  auto out = json::value::make_object();
  for (auto& [name, content] : by_name) out.set(name, content);
  return out;
}

/// The Job without its command and seal, and the mover's input.
std::string text_of(job_case const& one) {
  auto command = command_of(one);
  auto job = gateway::kubernetes::job_manifest(command, {.image = "mover:1", .seal_secret = "key", .images = {{"executor", "executor:1"}}},
                                               one.there);
  auto secret = gateway::kubernetes::job_secret(command, "uid", {});
  if (!job || !secret) return job ? secret.error().message : job.error().message;
  for (auto name : {"create-job", "seal"}) job->find("metadata")->find("annotations")->erase(gateway::ours(name));
  auto* task = secret->at("data")->find("work.json");
  auto input = task ? json::parse(*encoding::from_base64(*task->as_string())).value() : json::value();
  return json::pretty(sorted(json::object{{"job", *job}, {"input", input}})) + "\n";
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
