#pragma once
#include "common/blob/store.hpp"

namespace kopiur::blob {

/// The content, whose end is an error when its MD5 is another one. `md5`: as bytes; empty: unknown. `action` begins the sentence of an
/// error.
object_content checked_content(object_content content, std::string md5, std::string action);

}  // namespace kopiur::blob
