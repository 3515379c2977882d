#pragma once
#include <cstddef>
#include <string>
#include <string_view>

/// Texts in less memory.
namespace kopiur::compression {

/// Packs texts of one form, such as the objects of one kind as JSON: a tenth to a third of their bytes. The first `plain_texts` stay as
/// they are, so that a few cost nothing; the end of the one after them is the dictionary (RFC 1951) of all later ones. For one thread only.
class similar_texts {
 public:
  static constexpr std::size_t plain_texts = 16;

  /// Only unpack() of the same object reads it.
  std::string pack(std::string_view text);
  /// The same text. Throws std::logic_error when it was packed elsewhere and cannot be read.
  std::string unpack(std::string_view packed) const;

 private:
  std::size_t packed_ = 0;  // how many, up to the dictionary
  std::string dictionary_;
};

}  // namespace kopiur::compression
