#pragma once
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace kopiur::testing {

/// A temporary folder for one test, below `base`; the destructor deletes it with its content.
class folder {
 public:
  explicit folder(std::filesystem::path const& base = std::filesystem::temp_directory_path()) {
    auto pattern = (base / "kopiur-test-XXXXXX").string();
    if (!::mkdtemp(pattern.data())) throw std::runtime_error("cannot make a folder in " + base.string());
    path_ = pattern;
  }
  folder(folder const&) = delete;
  ~folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path const& path() const { return path_; }
  std::filesystem::path operator/(std::filesystem::path const& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace kopiur::testing
