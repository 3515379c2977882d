#include "common/http/byte_budget.hpp"

namespace kopiur::http {

byte_budget::share::~share() {
  if (!source_ || bytes_ == 0) return;
  source_->free += bytes_;
  source_->returned.notify();
}

app::awaitable<void> byte_budget::until_free(std::uint64_t bytes) {
  while (bytes > state_->free) co_await state_->returned.wait(state_->returned.epoch());
}

app::awaitable<std::optional<byte_budget::share>> byte_budget::take(std::uint64_t bytes, clock& time, duration limit) {
  if (bytes <= small_) co_return share(state_, 0);
  if (bytes > whole_) co_return std::nullopt;
  for (auto deadline = time.steady() + limit; bytes > state_->free;) {
    try {
      co_await app::within(time, deadline - time.steady(), until_free(bytes), "no room");
    } catch (app::timed_out const&) {
      co_return std::nullopt;
    }
  }
  state_->free -= bytes;
  co_return share(state_, bytes);
}

}  // namespace kopiur::http
