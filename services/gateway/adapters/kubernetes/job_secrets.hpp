#pragma once
#include "services/gateway/adapters/kubernetes/objects.hpp"
#include "services/gateway/adapters/kubernetes/shared_answers.hpp"

namespace kopiur::gateway::kubernetes {

/// Secrets and ConfigMaps, read live; kept for nobody but who waits for them.
using shared_contents = shared_answers<object_key, json::value>;

/// Makes the Secret of a Job (job_manifest.hpp) from what its command names, read live. Done already is success. NotFound names the Secret
/// or the key that is missing.
awaitable<outcome<void>> make_secret(objects& all, shared_contents& from, proto::create_job const& command, std::string job_uid);

/// `text` without the values in the Secret of the Job `key`; nothing of it where that cannot be read.
awaitable<std::string> without_secrets(objects& all, proto::create_job const& command, object_key const& key, std::string text);

}  // namespace kopiur::gateway::kubernetes
