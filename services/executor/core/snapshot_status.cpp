#include "services/executor/core/snapshot_status.hpp"

#include <array>
#include <charconv>

#include "common/encoding/text.hpp"
#include "common/json/value.hpp"
#include "services/executor/core/object_name.hpp"

namespace kopiur::executor {

namespace {

std::string hexadecimal(std::int64_t number) {
  std::array<char, 16> digits{};
  auto written = std::to_chars(digits.data(), digits.data() + digits.size(), static_cast<std::uint64_t>(number), 16);
  return {digits.data(), written.ptr};
}

}  // namespace

std::expected<snapshot_status, std::string> read_status(std::string_view text) {
  auto wrong = [](std::string why) {
    return std::unexpected("What etcdutl printed is not a status: " + why + ". Check that it is the etcdutl of etcd 3.5 or newer.");
  };
  auto read = json::parse(text, {.bytes = 64 << 10, .depth = 8, .members = 100});
  if (!read) return wrong(read.error().text());
  snapshot_status out{.version = one_line(std::string(read->text("version")))};
  std::int64_t hash = 0;
  for (auto& [name, target] : {std::pair("revision", &out.revision), std::pair("totalKey", &out.keys), std::pair("totalSize", &out.size),
                               std::pair("hash", &hash)}) {
    auto* found = read->find(name);
    auto* number = found ? found->as_int() : nullptr;
    if (!number || *number < 0) return wrong(std::string("it has no number ") + name);
    *target = *number;
  }
  out.hash = hexadecimal(hash);
  return out;
}

std::string first_reason(std::string_view text) {
  text = encoding::trimmed(text);
  auto line = one_line(std::string(text.substr(0, text.find('\n')).substr(0, 500)));
  for (std::string_view begin : {"Error: ", "panic: "})
    if (line.starts_with(begin)) line.erase(0, begin.size());
  while (line.ends_with('.') || line.ends_with(' ')) line.pop_back();
  return line.empty() ? "it gives no reason" : line;
}

}  // namespace kopiur::executor
