#pragma once
#include <string>
#include <vector>

#include "common/blob/core/refusal.hpp"

/// What is written to Azure Blob Storage and read from it.
namespace kopiur::blob::azure {

/// The id of a block. Ids of one object have one length; `upload` keeps those of two uploads apart.
std::string block_id(std::string const& upload, int number);
std::string block_list_xml(std::vector<std::string> const& ids);

/// Why the store refused. `action` begins the sentence; `code`: of the header x-ms-error-code, as HEAD has no body.
error store_error(refusal answer, std::string const& code, std::string const& action);

}  // namespace kopiur::blob::azure
