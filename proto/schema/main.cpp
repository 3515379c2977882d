#include <filesystem>
#include <fstream>
#include <iostream>

#include "proto/schema/files.hpp"

/// kopiur-schema DIRECTORY: writes all generated files below it and removes obsolete files from its directories `crds` and `json`, which
/// must contain nothing else.
int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  if (argc != 2 || argv[1][0] == '-') {
    std::cerr << "usage: kopiur-schema DIRECTORY (as in: kopiur-schema proto/schema/generated)\n";
    return 2;
  }
  fs::path const root = argv[1];
  auto files = kopiur::proto::schema::generate();
  for (auto folder : {"crds", "json"}) {
    fs::create_directories(root / folder);
    for (auto& each : fs::directory_iterator(root / folder))
      if (each.is_regular_file() && !files.contains(fs::relative(each.path(), root).generic_string())) fs::remove(each.path());
  }
  for (auto& [name, content] : files) {
    std::ofstream out(root / name, std::ios::binary);
    out << content;
    if (!out.flush()) {
      std::cerr << "cannot write " << (root / name) << ". Check the folder's permissions.\n";
      return 1;
    }
  }
}
