#include "services/gateway/core/mover_output.hpp"
#include "common/process/lines.hpp"
#include "e2e/fuzz/fuzz.hpp"
#include "proto/codec.hpp"
#include "services/gateway/core/progress.hpp"

namespace kopiur::fuzz {

/// A mover's output: JSON lines, and anything else. Its progress becomes the status of the objects that the mover serves.
void look(std::string_view input) {
  using namespace gateway;
  progress_book book;
  book.know(json::encode(proto::job{.run = "r", .serves = {{"Backup", "home", "b", "u"}, {"Restore", "home", "r", "v"}}}));
  instant now{std::chrono::hours(1000)};
  std::size_t rows = 0;
  mover_output output({.progress =
                           [&](json::value said) {
                             for (auto& each : book.take("r", said, now += std::chrono::minutes(1))) {
                               auto* percent = each.status.at("progress.percent");
                               require(!percent || (*percent->as_int() >= 0 && *percent->as_int() <= 100), "a percentage is 0 to 100");
                             }
                           },
                       .page = [&](proto::output_page page) { rows += page.rows.size(); }});
  std::size_t lines = 0;
  process::line_splitter splitter([&](std::string_view line) { output.take(line), ++lines; });
  splitter.feed(input);
  splitter.finish(), output.finish();
  require(rows <= lines, "a row comes from a line");
  require(output.rest(4096).size() <= 4096, "what is kept of the log is bounded");
}

}  // namespace kopiur::fuzz
