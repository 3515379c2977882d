#pragma once
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace kopiur::buckety {

/// The value of a secret. Printed or encoded, it is `***`: only reveal() gives the text.
class secret_text {
 public:
  static constexpr std::string_view mask = "***";

  secret_text() = default;
  explicit secret_text(std::string text) : text_(std::move(text)) {}

  /// The text, for requests to the backend and for the Secret of an access; never for a log or a message.
  std::string const& reveal() const { return text_; }
  bool empty() const { return text_.empty(); }
  bool operator==(secret_text const&) const = default;

  /// For the codec, which writes the mask.
  std::string_view json_text() const { return mask; }
  friend std::ostream& operator<<(std::ostream& out, secret_text const&) { return out << mask; }

 private:
  std::string text_;
};

}  // namespace kopiur::buckety
