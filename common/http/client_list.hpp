#pragma once
#include <cstdint>
#include <functional>
#include <list>
#include <memory>

namespace kopiur::http {

/// What the server waits for.
enum class client_stage {
  Arriving,   ///< the handshake, and the header of the first request
  Sending,    ///< the rest of a request
  Resting,    ///< the next request
  Answering,  ///< our answer
  Closing     ///< its end: it made room for another client
};

/// The clients of a server. Past the maximum a new client replaces one that is not being answered: first those that have never asked
/// anything, then those that are still sending, then idle ones; of these the one that has been so for longest. A client with a request
/// that is complete keeps its connection.
class client_list {
  struct entry {
    client_stage stage;
    std::uint64_t since;
    std::function<void()> close;
  };
  struct all {
    std::list<entry> entries;
    std::uint64_t changes = 0;
  };

 public:
  /// A client's place; its destructor frees it.
  class place {
   public:
    place(std::shared_ptr<all> list, std::list<entry>::iterator mine) : list_(std::move(list)), mine_(mine) {}
    place(place const&) = delete;
    ~place() { list_->entries.erase(mine_); }
    void enter(client_stage stage);
    /// It was chosen to make room.
    bool is_closing() const { return mine_->stage == client_stage::Closing; }

   private:
    std::shared_ptr<all> list_;
    std::list<entry>::iterator mine_;
  };

  explicit client_list(std::size_t most) : most_(most), all_(std::make_shared<all>()) {}

  /// The place of a new client, in stage Arriving; nullptr: all others are being answered. `close` ends its connection to make room for
  /// another one; it must not throw.
  std::unique_ptr<place> admit(std::function<void()> close);
  /// Closes a client that is not being answered, if there is one.
  bool make_room();

 private:
  std::size_t most_;
  std::shared_ptr<all> all_;
};

}  // namespace kopiur::http
