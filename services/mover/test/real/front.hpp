#pragma once
#include <chrono>
#include <memory>
#include <string>

/// A proxy before a real S3 server. It forwards every request until turn() is called; from then on it closes connections or sends its own
/// answer.
namespace kopiur::mover::test {

class front {
 public:
  /// What the proxy answers.
  struct answer {
    int status = 0;         ///< 0: the connection is closed at once, as if no server listened
    std::string code;       ///< S3's error code, such as AccessDenied
    std::string only = "";  ///< applies to requests whose line contains this; others are forwarded. Empty: all
  };
  front(int port, int behind);
  ~front();
  /// Takes effect at once.
  void turn(answer);
  /// Takes effect from the first request whose request line contains this text, including that request.
  void turn_at(std::string text, answer);
  bool turned() const;
  /// Delays each request whose request line contains this text.
  void slow(std::string text, std::chrono::milliseconds wait);

 private:
  class state;
  std::unique_ptr<state> state_;
};

}  // namespace kopiur::mover::test
