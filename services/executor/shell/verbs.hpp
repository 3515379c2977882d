#pragma once
#include <expected>
#include <map>
#include <string>

#include "common/app/async.hpp"
#include "services/executor/core/arguments.hpp"

namespace kopiur::executor {

using environment = std::map<std::string, std::string>;
/// That of this process.
environment own_environment();
/// A variable without blanks around it, as Secrets often have them; empty: it is not set.
std::string variable(environment const& from, std::string const& name);

/// What a verb has to say at its end: a line for the caller, or why it failed, as a sentence.
using verb_result = std::expected<std::string, std::string>;

/// Uploads the snapshot under a key of `now`, and returns its URL. An object that exists is never overwritten; an unfinished upload is
/// aborted, also when this is cancelled.
app::awaitable<verb_result> upload_snapshot(clock& time, snapshot_upload what, instant now, environment variables);

/// Writes the certificates of a hosted control plane's etcd as ca.crt, etcd-client.crt and etcd-client.key, and returns what it did.
app::awaitable<verb_result> fetch_certificates(clock& time, certificate_fetch what);

}  // namespace kopiur::executor
