#include "services/provisioner/shell/bounded_driver.hpp"

#include "common/app/async.hpp"

namespace kopiur::provisioner {

namespace asio = boost::asio;

template <class Answer>
asio::awaitable<Answer> bounded_driver::in_time(asio::awaitable<Answer> call) {
  std::optional<Answer> said;
  auto keep = [&]() -> asio::awaitable<void> { said = co_await std::move(call); };
  co_await app::first_of(keep(), time_.sleep_for(limit));
  if (said) co_return std::move(*said);
  co_return call_failed{"The backend " + backend_ + " has not answered within " +
                        std::to_string(std::chrono::duration_cast<std::chrono::seconds>(limit).count()) + " s; it is asked again."};
}

auto bounded_driver::inspect(std::string name, bool content) -> answer<buckety::inspection> {
  return in_time(inner_->inspect(std::move(name), content));
}
auto bounded_driver::create(std::string name, buckety::parameters wanted) -> answer<buckety::create_result> {
  return in_time(inner_->create(std::move(name), std::move(wanted)));
}
auto bounded_driver::settle(std::string name, buckety::parameters wanted, bool writes) -> settled {
  return in_time(inner_->settle(std::move(name), std::move(wanted), writes));
}
auto bounded_driver::remove(std::string name) -> answer<removal> { return in_time(inner_->remove(std::move(name))); }

}  // namespace kopiur::provisioner
