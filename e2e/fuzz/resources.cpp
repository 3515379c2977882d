#include "e2e/fuzz/fuzz.hpp"
#include "services/controller/core/objects.hpp"

namespace kopiur::fuzz {

/// The first line is a subject of the stream `resources`, the rest the body of the message.
void look(std::string_view input) {
  auto subject = take_line(input);
  std::string const body(input);
  controller::objects all;
  auto first = controller::apply(all, subject, &body);
  auto second = controller::apply(all, subject, &body);
  require(first.has_value() == second.has_value(), "a message that comes twice is taken twice, or never");
  if (!first) return require(!first.error().what.empty(), "a refusal says why");
  require(*first == *second, "a message that comes twice is about the same object");
  controller::lighten(all, *first);
  auto gone = controller::apply(all, subject, nullptr);
  require(gone.has_value(), "an object that was taken can go");
}

}  // namespace kopiur::fuzz
