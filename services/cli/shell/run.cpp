#include <CLI/CLI.hpp>
#include <cstdlib>

#include "services/cli/shell/verbs.hpp"

namespace kopiur::cli {

namespace {
std::string default_data() {
  if (auto* set = std::getenv("KOPIUR_DATA")) return set;
  if (auto* home = std::getenv("XDG_DATA_HOME")) return std::string(home) + "/kopiur";
  auto* home = std::getenv("HOME");
  return std::string(home ? home : ".") + "/.local/share/kopiur";
}
}  // namespace

int run(int argc, char** argv) {
  settings with{.data = default_data()};
  CLI::App app("kopiur: backups with kopia, on one host or in a cluster", "kopiur");
  app.require_subcommand(1);
  app.add_option("--data", with.data, "Data folder (KOPIUR_DATA)");
  int code = done;
  auto* up = app.add_subcommand("up", "Run everything here: the bus, all services, the local adapter");
  up->add_option("--data", with.data, "Data folder (KOPIUR_DATA)");
  up->add_option("--manifests", with.manifests, "Folder of manifests, only read");
  up->add_flag("--verbose", with.verbose, "Write more into the journal");
  up->callback([&] { code = up_command(with); });
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& e) {
    return app.exit(e) == 0 ? done : usage;
  }
  return code;
}

}  // namespace kopiur::cli
