#pragma once
#include "common/bus/test/conformance.hpp"
#include "common/testing/memory_port.hpp"
#include "common/testing/test/run_alone.hpp"

namespace kopiur::testing {

/// A stage of the bus's conformance suite inside a process of a world.
class sim_stage final : public bus::conformance::stage {
 public:
  sim_stage(process& self, bus_net& net) : self_(self), net_(net), time_(self) {}
  asio::awaitable<bus::port*> connect() override {
    ports_.push_back(std::make_unique<memory_port>(self_, net_));
    co_return ports_.back().get();
  }
  clock& time() override { return time_; }

 private:
  process& self_;
  bus_net& net_;
  sim_clock time_;
  std::vector<std::unique_ptr<memory_port>> ports_;
};

}  // namespace kopiur::testing
