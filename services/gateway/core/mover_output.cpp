#include "services/gateway/core/mover_output.hpp"

#include "proto/codec.hpp"

namespace kopiur::gateway {

namespace {
constexpr std::size_t kept = 16 * 1024;
constexpr json::bounds line_bounds{.bytes = 256 << 10, .depth = 32, .members = 10'000};
}  // namespace

void mover_output::take(std::string_view line) {
  auto read = json::read<proto::output_line>(line, line_bounds);
  if (!read) {
    rest_.append(line).append("\n");
    if (rest_.size() > 2 * kept) rest_ = tail(rest_, kept);
    return;
  }
  if (auto* progress = std::get_if<proto::work_progress>(&*read)) sinks_.progress(std::move(*progress));
  if (auto* row = std::get_if<proto::snapshot_row>(&*read))
    if (auto page = pager_.add(std::move(*row))) sinks_.page(std::move(*page));
}

void mover_output::finish() {
  if (auto page = pager_.finish()) sinks_.page(std::move(*page));
}

}  // namespace kopiur::gateway
