#include <filesystem>
#include <fstream>
#include <iostream>

#include "services/systems/buckety/s3/schema.hpp"

/// kopiur-buckety-schema DIRECTORY: writes the JSON Schemas of the driver s3 below it.
int main(int argc, char** argv) {
  if (argc != 2 || argv[1][0] == '-') {
    std::cerr << "usage: kopiur-buckety-schema DIRECTORY (as in: kopiur-buckety-schema services/systems/buckety/s3/schema)\n";
    return 2;
  }
  for (auto& [name, content] : kopiur::buckety::s3::schema_files()) {
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
