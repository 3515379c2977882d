#pragma once
#include <expected>
#include <string>
#include <string_view>

#include "common/blob/core/refusal.hpp"

/// Identities of Microsoft Entra ID, and their tokens, without I/O.
namespace kopiur::blob::azure {

/// Of an application. Either a secret, or an assertion: a token of a provider that the application trusts, such as a Kubernetes cluster.
struct application {
  std::string tenant, client;
  std::string secret{}, assertion{};
};
/// What a credentials file has: an application with its secret, or the key of a storage account, decoded.
struct credentials {
  application who{};
  std::string account_key{};
};

/// Reads a credentials file: JSON with `tenantId`, `clientId` and `clientSecret`, or lines AZURE_TENANT_ID=, AZURE_CLIENT_ID= and
/// AZURE_CLIENT_SECRET=, or AZURE_STORAGE_ACCOUNT_ACCESS_KEY=. The error is a sentence that names no value.
std::expected<credentials, std::string> read_credentials(std::string_view text);

/// The path and the body of the request for a token of Azure Storage.
std::string token_path(application const& who);
std::string token_form(application const& who);
/// Why the token was refused. `action` begins the sentence.
error token_error(int status, std::string_view body, std::string const& action);

}  // namespace kopiur::blob::azure
