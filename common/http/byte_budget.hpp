#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "common/app/async.hpp"

namespace kopiur::http {

/// Memory that many requests share. Small ones need none of it: their number is bounded elsewhere, and large ones never delay them. One
/// loop, no threads.
class byte_budget {
  struct state {
    state(std::uint64_t bytes, boost::asio::any_io_executor const& loop) : free(bytes), returned(loop) {}
    std::uint64_t free;
    app::event returned;
  };

 public:
  /// `small`: the largest request that needs no share.
  byte_budget(boost::asio::any_io_executor const& loop, std::uint64_t bytes, std::uint64_t small)
      : whole_(bytes), small_(small), state_(std::make_shared<state>(bytes, loop)) {}

  /// So many bytes, given back by its destructor. It may outlive its budget: coroutines are destroyed in any order.
  class share {
   public:
    share(std::shared_ptr<state> source, std::uint64_t bytes) : source_(std::move(source)), bytes_(bytes) {}
    share(share&& other) noexcept = default;
    share& operator=(share&&) = delete;
    ~share();

   private:
    std::shared_ptr<state> source_;
    std::uint64_t bytes_;
  };

  /// Waits for its share; nothing: there was none within `limit`, or it is larger than the whole. Can be cancelled.
  app::awaitable<std::optional<share>> take(std::uint64_t bytes, clock& time, duration limit);

 private:
  app::awaitable<void> until_free(std::uint64_t bytes);

  std::uint64_t whole_, small_;
  std::shared_ptr<state> state_;
};

}  // namespace kopiur::http
