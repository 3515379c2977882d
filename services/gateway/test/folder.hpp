#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "common/json/value.hpp"

namespace kopiur::gateway {

/// A folder of its own for one test, gone with it.
class test_folder {
 public:
  test_folder() {
    auto base = std::getenv("TMPDIR") ? std::filesystem::path(std::getenv("TMPDIR")) : std::filesystem::temp_directory_path();
    auto pattern = (base / "gateway-XXXXXX").string();
    if (!::mkdtemp(pattern.data())) throw std::runtime_error("cannot make a folder in " + base.string());
    path_ = pattern;
  }
  test_folder(test_folder const&) = delete;
  ~test_folder() {
    std::error_code unknown;
    std::filesystem::remove_all(path_, unknown);
  }
  std::filesystem::path const& path() const { return path_; }
  std::filesystem::path operator/(std::string const& name) const { return path_ / name; }
  void write(std::string const& name, std::string const& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
  }

 private:
  std::filesystem::path path_;
};

inline json::value parsed_json(std::string_view text) {
  auto read = json::parse(text);
  if (!read) throw std::runtime_error("no JSON: " + read.error().text());
  return *read;
}

/// A manifest of one of our kinds.
inline json::value manifest(std::string_view kind, std::string_view name, std::string_view spec = "{}") {
  return parsed_json(R"({"apiVersion":"kopiur.home-operations.com/v1alpha1","kind":")" + std::string(kind) + R"(","metadata":{"name":")" +
                     std::string(name) + R"(","namespace":"home"},"spec":)" + std::string(spec) + "}");
}

}  // namespace kopiur::gateway
