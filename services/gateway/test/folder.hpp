#pragma once
#include <gtest/gtest.h>

#include <fstream>

#include "common/json/value.hpp"
#include "common/testing/folder.hpp"

namespace kopiur::gateway {

/// A temporary folder for one test, with files.
class test_folder : public testing::folder {
 public:
  void write(std::string const& name, std::string const& text) const {
    std::filesystem::create_directories((path() / name).parent_path());
    std::ofstream(path() / name) << text;
  }
};

inline json::value parsed_json(std::string_view text) {
  auto read = json::parse(text);
  if (!read) throw std::runtime_error("no JSON: " + read.error().text());
  return *read;
}

/// A manifest of one of kopiur's kinds.
inline json::value manifest(std::string_view kind, std::string_view name, std::string_view spec = "{}") {
  return parsed_json(R"({"apiVersion":"kopiur.home-operations.com/v1alpha1","kind":")" + std::string(kind) + R"(","metadata":{"name":")" +
                     std::string(name) + R"(","namespace":"home"},"spec":)" + std::string(spec) + "}");
}

}  // namespace kopiur::gateway
