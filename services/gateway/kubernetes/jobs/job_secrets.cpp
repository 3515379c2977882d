#include "services/gateway/kubernetes/jobs/job_secrets.hpp"

#include "common/encoding/text.hpp"
#include "proto/core/kubernetes.hpp"
#include "services/gateway/core/jobs.hpp"
#include "services/gateway/core/secret_value.hpp"
#include "services/gateway/kubernetes/jobs/job_manifest.hpp"

namespace kopiur::gateway::kubernetes {

using proto::answer_code;

awaitable<outcome<void>> make_secret(objects& all, shared_contents& from, proto::create_job const& command, std::string job_uid) {
  secret_values values;
  std::map<object_key, std::shared_ptr<json::value const>> read;
  for (auto const& use : command.secrets) {
    auto key = key_of(use, command.namespace_);
    auto known = read.find(key);
    if (known == read.end()) {
      auto there = co_await from.of(key);
      if (!there && use.optional && there.error().code == answer_code::NotFound) continue;
      if (!there) co_return std::unexpected(there.error());
      known = read.emplace(key, std::move(*there)).first;
    }
    auto content = value_in(*known->second, use.key);
    if (!content && use.optional && content.error().code == answer_code::NotFound) continue;
    if (!content) co_return std::unexpected(content.error());
    values[secret_key_of(use).value()] = std::move(*content);
  }
  auto manifest = job_secret(command, job_uid, values);
  if (!manifest) co_return std::unexpected(manifest.error());
  auto made = co_await all.create(std::move(*manifest));
  if (!made) co_return std::unexpected(made.error());
  co_return outcome<void>();
}

awaitable<std::string> without_secrets(objects& all, proto::create_job const& command, object_key const& key, std::string text) {
  if (text.empty() || command.secrets.empty()) co_return text;
  auto secret = co_await all.read(proto::ref_to<proto::secret>(key.namespace_, key.name));
  if (!secret) co_return std::string();
  std::vector<std::string> hidden;
  for (auto const& use : command.secrets) hidden.push_back(value_in(*secret, secret_key_of(use).value_or("")).value_or(""));
  co_return encoding::masked(std::move(text), hidden);
}

}  // namespace kopiur::gateway::kubernetes
