#include "e2e/fuzz/fuzz.hpp"
#include "services/mirror/core/objects.hpp"

namespace kopiur::fuzz {

/// The first line is a subject of the stream `resources`, the rest the body of the message.
void look(std::string_view input) {
  auto subject = take_line(input);
  std::string const body(input);
  mirror::objects all;
  auto first = mirror::apply(all, subject, &body);
  auto second = mirror::apply(all, subject, &body);
  require(first.has_value() == second.has_value(), "a message that comes twice is taken twice, or never");
  if (!first) return require(!first.error().what.empty(), "a refusal says why");
  require(*first == *second, "a message that comes twice is about the same object");
  mirror::lighten(all, *first);
  auto gone = mirror::apply(all, subject, nullptr);
  require(gone.has_value(), "an object that was taken can go");
}

}  // namespace kopiur::fuzz
