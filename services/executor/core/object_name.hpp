#pragma once
#include <string>

#include "common/time/instant.hpp"
#include "services/executor/core/arguments.hpp"

namespace kopiur::executor {

/// `PREFIX/SECONDS-SUFFIX.db`, without a suffix `PREFIX/SECONDS.db`; slashes at the end of the prefix do not count. Two backups of one
/// second differ by their suffix only.
std::string object_key(std::string prefix, instant when, std::string const& suffix);

/// `s3://BUCKET/KEY`
std::string s3_url(std::string const& bucket, std::string const& key);

/// `https://ACCOUNT.blob.core.windows.net`, or the endpoint of the arguments, without slashes at its end.
std::string azure_endpoint(snapshot_upload const& what);
/// `ENDPOINT/CONTAINER/KEY`
std::string azure_url(snapshot_upload const& what, std::string const& key);

/// A sentence for the termination log, of which the kubelet keeps 4,096 bytes: one line, at most 2,000 bytes.
std::string one_line(std::string text);

}  // namespace kopiur::executor
