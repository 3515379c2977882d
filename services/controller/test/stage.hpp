#pragma once
#include <map>
#include <string>

#include "services/controller/core/cluster_view.hpp"

namespace kopiur::controller::test {

/// All that a system's decisions read, set by hand, as one view. The view is of the stage: it is valid until the next change.
class stage {
 public:
  controller::objects objects;
  std::map<std::string, proto::answer> answers;  // by "verb key", else by "verb"
  std::map<std::string, proto::lease_state> leases;
  std::map<std::string, proto::run_state> runs;
  instant now{};
  capabilities can;

  cluster_view view() const {
    return {.objects = objects,
            .run = [this](std::string const& id) { return found(runs, id); },
            .runs_of = [](std::string const&, std::string_view) { return std::vector<proto::run_state const*>(); },
            .answer =
                [this](std::string_view verb, std::string_view key) {
                  auto* exact = found(answers, std::string(verb) + " " + std::string(key));
                  return exact ? exact : found(answers, std::string(verb));
                },
            .list = [](std::string const&) { return nullptr; },
            .listed = [](list_query const&) { return nullptr; },
            .lease = [this](std::string const& key) { return found(leases, key); },
            .cluster = "c",
            .can = can,
            .now = now};
  }

 private:
  template <class T>
  static T const* found(std::map<std::string, T> const& all, std::string const& key) {
    auto there = all.find(key);
    return there == all.end() ? nullptr : &there->second;
  }
};

}  // namespace kopiur::controller::test
