#pragma once
#include "common/blob/core/xml_document.hpp"

namespace kopiur::blob::s3 {

/// The first element of a new document of S3.
pugi::xml_node add_root(pugi::xml_document& document, char const* name);

}  // namespace kopiur::blob::s3
