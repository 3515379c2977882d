#include "services/gateway/core/mover_output.hpp"

#include "proto/codec.hpp"

namespace kopiur::gateway {

namespace {
constexpr std::size_t kept = 16 * 1024;
constexpr json::bounds line_bounds{.bytes = 256 << 10, .depth = 32, .members = 10'000};
}  // namespace

void mover_output::take(std::string_view line) {
  auto read = json::parse(line, line_bounds);
  auto* one = read && read->as_object() && read->as_object()->size() == 1 ? &*read->as_object()->begin() : nullptr;
  if (!one || !one->second.is_object()) {
    rest_.append(line).append("\n");
    if (rest_.size() > 2 * kept) rest_ = encoding::tail(rest_, kept);
    return;
  }
  if (one->first == "progress") sinks_.progress(std::move(one->second));
  if (one->first != "row") return;
  row_bytes_ += line.size();
  if (row_bytes_ <= limits_.row_bytes)
    if (auto page = pager_.add(std::move(one->second))) sinks_.page(std::move(*page));
}

void mover_output::finish() {
  if (auto page = pager_.finish()) sinks_.page(std::move(*page));
}

}  // namespace kopiur::gateway
