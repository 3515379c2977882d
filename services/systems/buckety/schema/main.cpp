#include <filesystem>
#include <fstream>
#include <iostream>

#include "services/systems/buckety/schema/schema_files.hpp"

/// kopiur-buckety-schema DIRECTORY: writes the JSON Schemas of all drivers below it, as in `s3/schema/v0.1/config.schema.json`.
int main(int argc, char** argv) {
  if (argc != 2 || argv[1][0] == '-') {
    std::cerr << "usage: kopiur-buckety-schema DIRECTORY (as in: kopiur-buckety-schema services/systems/buckety)\n";
    return 2;
  }
  for (auto& [name, content] : kopiur::buckety::schema_files()) {
    auto file = std::filesystem::path(argv[1]) / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream out(file, std::ios::binary);
    out << content;
    if (!out.flush()) {
      std::cerr << "cannot write " << file << ". Check the folder's permissions.\n";
      return 1;
    }
  }
}
