#pragma once
#include "common/blob/store.hpp"
#include "common/blob/transport.hpp"
#include "services/executor/core/snapshot_place.hpp"
#include "services/executor/shell/verbs.hpp"

namespace kopiur::executor {

/// What a download is made of, whatever its store.
struct snapshot_source {
  clock& time;
  blob::transport through;
  snapshot_check what;
  environment variables;
  http::certificates trusted;
};

/// Begins the download of the snapshot. No message contains credentials, or the query of a URL.
blob::awaitable_result<blob::object_content> open_source(snapshot_source from, snapshot_place place);

}  // namespace kopiur::executor
