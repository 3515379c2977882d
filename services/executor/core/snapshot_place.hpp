#pragma once
#include <expected>
#include <string>

namespace kopiur::executor {

/// What to verify, as a user says it.
struct snapshot_check {
  std::string url;
  std::string credentials_file{}, region{}, endpoint{}, ca_file{};
  std::string save_as{};  ///< the file to keep the snapshot in; empty: it is not kept
  std::string etcdutl{};  ///< path of the program; empty: it is looked for in PATH
};

/// Where a snapshot is.
struct snapshot_place {
  enum class kind {
    s3,
    azure,
    plain,  ///< a URL that is fetched as it is, without credentials
  };
  kind store = kind::plain;
  std::string container{}, key{};     ///< container: a bucket; both are empty for `plain`
  std::string endpoint{}, account{};  ///< of Azure
  bool operator==(snapshot_place const&) const = default;
};

/// Reads the URL as `etcd-upload` prints it: `s3://BUCKET/KEY` and `https://ACCOUNT.blob.core.windows.net/CONTAINER/KEY`, keys not
/// encoded; the endpoint may be another one. Any other https URL, and each one with a query, is `plain`. http is only for this machine.
/// The error is a sentence without the query.
std::expected<snapshot_place, std::string> place_of(snapshot_check const& what);

}  // namespace kopiur::executor
