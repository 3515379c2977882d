#pragma once
#include <filesystem>

#include "common/blob/store.hpp"

namespace kopiur::blob {

/// A file as a content; it stays open, and its length is that of now. Throws std::system_error with the path when it cannot be opened or
/// read. Reading blocks.
seekable_content file_content(std::filesystem::path const& path);

}  // namespace kopiur::blob
