#pragma once
#include <map>
#include <string>

/// The generated files, by their path below `proto/schema/generated/`.
namespace kopiur::proto::schema {

std::map<std::string, std::string> generate();

}  // namespace kopiur::proto::schema
