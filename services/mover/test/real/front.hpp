#pragma once
#include <chrono>
#include <memory>
#include <string>

/// Stands before a real S3 server: passes all on, until it is turned. From then on every connection is cut, and requests get an answer of
/// its own.
namespace kopiur::mover::test {

class front {
 public:
  /// What a request gets.
  struct answer {
    int status = 0;         ///< 0: the connection is closed at once, as when nobody is there
    std::string code;       ///< S3's, as in AccessDenied
    std::string only = "";  ///< a request whose line holds this; others are passed on still. Empty: all
  };
  front(int port, int behind);
  ~front();
  /// From now on.
  void turn(answer);
  /// From the first request on whose line holds this text, it included.
  void turn_at(std::string text, answer);
  bool turned() const;
  /// Each request whose line holds this text waits so long before it is passed on.
  void slow(std::string text, std::chrono::milliseconds wait);

 private:
  class state;
  std::unique_ptr<state> state_;
};

}  // namespace kopiur::mover::test
