#include "common/bus/port.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "common/bus/administration.hpp"

namespace kopiur::bus {

namespace {
bool same_letter(char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b)); }
}  // namespace

std::string_view header(headers const& all, std::string_view name) {
  for (auto const& [key, value] : all)
    if (std::ranges::equal(key, name, same_letter)) return value;
  return {};
}

std::size_t body_size(stored const& message) {
  auto left_out = header(message.head, "Nats-Msg-Size");
  std::size_t size = message.body.size();
  std::from_chars(left_out.data(), left_out.data() + left_out.size(), size);
  return size;
}

std::size_t bytes_on_wire(std::string_view body, headers const& all) {
  auto bytes = body.size();
  if (!all.empty()) bytes += std::string_view("NATS/1.0\r\n\r\n").size();
  for (auto const& [name, value] : all) bytes += name.size() + value.size() + std::string_view(": \r\n").size();
  return bytes;
}

bool is_out_of_bytes(error const& why) { return why.kind == failure::limit && why.text.find(" per subject") == std::string::npos; }

}  // namespace kopiur::bus
