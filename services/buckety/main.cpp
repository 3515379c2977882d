#include <cstdio>
#include <vector>

#include "services/buckety/shell/serve.hpp"
#include "services/runtime/shell/runtime.hpp"

namespace {

constexpr int failed = 1, wrong_call = 2;

int complain(std::string const& sentence, int code) {
  std::fprintf(stderr, "buckety: %s\n", sentence.c_str());
  return code;
}

int print(std::string const& text) {
  std::fputs(text.c_str(), stdout);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace kopiur::buckety::program;
  std::vector<std::string_view> arguments(argv + 1, argv + argc);
  auto flags = parse_flags(arguments);
  if (!flags) return complain(flags.error() + "\n" + usage(), wrong_call);
  if (flags->help) return print(usage());
  if (flags->version) return print(versions());
  auto settings = settings_of(std::move(*flags));
  if (!settings) return complain(settings.error(), failed);
  return kopiur::runtime::run_loop("buckety", [&](boost::asio::io_context& loop) { return serve(loop, *settings); });
}
