#pragma once
#include "services/gateway/kubernetes/objects/objects.hpp"
#include "services/gateway/kubernetes/objects/shared_answers.hpp"

namespace kopiur::gateway::kubernetes {

/// Live reads of Secrets and ConfigMaps; kept only for callers that already wait.
using shared_contents = shared_answers<object_key, json::value>;

/// Creates the Secret of a Job (job_manifest.hpp) from the live Secrets that its command names. An existing one is success. NotFound names
/// the missing Secret or key.
awaitable<outcome<void>> make_secret(objects& all, shared_contents& from, proto::create_job const& command, std::string job_uid);

/// `text` without the values in the Secret of the Job `key`; empty when that cannot be read.
awaitable<std::string> without_secrets(objects& all, proto::create_job const& command, object_key const& key, std::string text);

}  // namespace kopiur::gateway::kubernetes
