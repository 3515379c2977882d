#pragma once
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace kopiur::mover {

/// The unchanged output of kopia 0.23.1.
inline std::string golden(std::string const& name) {
  std::ifstream file(std::string(MOVER_GOLDEN) + "/" + name, std::ios::binary);
  EXPECT_TRUE(file) << "no golden file " << name;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace kopiur::mover
