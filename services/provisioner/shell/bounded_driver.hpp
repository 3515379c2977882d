#pragma once
#include "common/time/clock.hpp"
#include "services/provisioner/shell/driver.hpp"

namespace kopiur::provisioner {

/// A driver whose calls end in time: a backend that accepts and never answers holds up nobody for longer.
class bounded_driver final : public driver {
 public:
  static constexpr duration limit{20'000};

  bounded_driver(clock& time, std::string backend, std::unique_ptr<driver> inner)
      : time_(time), backend_(std::move(backend)), inner_(std::move(inner)) {}
  answer<buckety::inspection> inspect(std::string name, bool content) override;
  answer<buckety::create_result> create(std::string name, buckety::parameters wanted) override;
  settled settle(std::string name, buckety::parameters wanted, bool writes) override;
  answer<removal> remove(std::string name) override;

 private:
  template <class Answer>
  boost::asio::awaitable<Answer> in_time(boost::asio::awaitable<Answer> call);

  clock& time_;
  std::string backend_;
  std::unique_ptr<driver> inner_;
};

}  // namespace kopiur::provisioner
