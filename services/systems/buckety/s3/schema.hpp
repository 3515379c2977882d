#pragma once
#include <map>
#include <string>

namespace kopiur::buckety::s3 {

/// The JSON Schemas of this driver for editors, by their path below `s3/schema/`.
std::map<std::string, std::string> schema_files();

}  // namespace kopiur::buckety::s3
