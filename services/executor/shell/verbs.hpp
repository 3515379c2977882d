#pragma once
#include <expected>
#include <string>

#include "common/app/async.hpp"
#include "services/executor/core/arguments.hpp"
#include "services/executor/core/environment.hpp"

namespace kopiur::executor {

/// The environment of this process.
environment own_environment();

/// What a verb has to say at its end: a line for the caller, or why it failed, as a sentence.
using verb_result = std::expected<std::string, std::string>;

/// Uploads the snapshot under a key of `now`, and returns its URL. An object that exists is never overwritten; an unfinished upload is
/// aborted, also when this is cancelled.
app::awaitable<verb_result> upload_snapshot(clock& time, snapshot_upload what, instant now, environment variables);

/// Writes the certificates of a hosted control plane's etcd as ca.crt, etcd-client.crt and etcd-client.key, and returns what it did.
app::awaitable<verb_result> fetch_certificates(clock& time, certificate_fetch what);

}  // namespace kopiur::executor
