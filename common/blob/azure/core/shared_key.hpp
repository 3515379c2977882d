#pragma once
#include <string>

#include "common/blob/core/uri.hpp"

/// The signature of requests to Azure Blob Storage with the key of a storage account ("Shared Key").
namespace kopiur::blob::azure {

/// What is signed.
struct signable {
  std::string method = "GET";
  std::string path = "/";  ///< encoded, as it is sent
  parameters query{};
  parameters headers{};  ///< with x-ms-date
  std::uint64_t body_length = 0;
};

std::string string_to_sign(std::string const& account, signable const& what);
/// The value of the Authorization header. `key`: decoded.
std::string shared_key(std::string const& account, std::string const& key, signable const& what);

}  // namespace kopiur::blob::azure
