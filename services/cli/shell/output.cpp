#include "services/cli/shell/output.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "common/config/manifest.hpp"

namespace kopiur::cli {

namespace {

std::string fitting(std::string text) {
  winsize size{};
  std::size_t width = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 10 ? size.ws_col : 80;
  if (text.size() >= width) text.resize(width - 1);
  return text;
}

}  // namespace

bool colours() {
  static bool const yes = ::isatty(STDOUT_FILENO) && !std::getenv("NO_COLOR");
  return yes;
}

void print(settings const& settings, json::value const& content) {
  auto text = settings.output == "json" ? json::pretty(content) : config::to_yaml(content);
  std::fputs(text.c_str(), stdout);
  if (!text.ends_with('\n')) std::fputs("\n", stdout);
}

void print(settings const& settings, table const& shown, json::value const& content, std::string const& nothing) {
  if (!settings.shows_table()) return print(settings, content);
  if (shown.rows.empty()) std::fprintf(stderr, "%s\n", nothing.c_str());
  std::fputs(render(shown, colours()).c_str(), stdout);
}

void say(std::string const& text, tone style) {
  std::printf("%s\n", painted(text, style, colours()).c_str());
  std::fflush(stdout);
}

void progress_line::show(std::string const& text, instant now) {
  if (text == last_) return;
  if (::isatty(STDERR_FILENO)) {
    std::fprintf(stderr, "\r\033[K%s", fitting(text).c_str());
    drawn_ = true;
  } else {
    if (now - time_ < std::chrono::seconds(10)) return;
    std::fprintf(stderr, "%s\n", text.c_str());
  }
  std::fflush(stderr);
  last_ = text, time_ = now;
}

void progress_line::clear() {
  if (drawn_) std::fprintf(stderr, "\r\033[K"), std::fflush(stderr);
  drawn_ = false;
}

}  // namespace kopiur::cli
