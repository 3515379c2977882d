#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio.hpp>

#include "common/encoding/base64.hpp"
#include "common/files/files.hpp"
#include "common/kubernetes/client.hpp"
#include "services/executor/shell/verbs.hpp"

namespace kopiur::executor {

namespace asio = boost::asio;

namespace {

using text_result = std::expected<std::string, std::string>;

/// An object with the certificates.
struct holder {
  kubernetes::resource kind;
  std::string words;  ///< for messages: `the Secret etcd-client-tls`
  std::string name;
  bool encoded = false;  ///< its data is base64
};
holder const client_tls{{"", "v1", "secrets"}, "the Secret etcd-client-tls", "etcd-client-tls", true};
holder const authority{{"", "v1", "configmaps"}, "the ConfigMap etcd-ca", "etcd-ca", false};

std::string problem_with(holder const& what, std::string const& ns, std::string const& why) {
  return "Reading the certificates of etcd failed: " + what.words + " of the namespace " + ns + " " + why;
}

app::awaitable<std::expected<json::value, std::string>> read_object(kubernetes::client& api, holder what, std::string ns) {
  auto read = co_await api.ask({.path = kubernetes::path_of(what.kind, ns, what.name)});
  if (read) co_return std::move(*read);
  auto& why = read.error();
  if (why.code == kubernetes::failure::not_found)
    co_return std::unexpected(problem_with(what, ns, "does not exist. Check that this is the namespace of a hosted control plane."));
  if (why.code == kubernetes::failure::forbidden)
    co_return std::unexpected(problem_with(what, ns, "may not be read. Allow it with a Role. " + why.message));
  co_return std::unexpected(problem_with(what, ns, "cannot be read. " + why.message));
}

text_result value_of(json::value const& object, holder const& what, std::string const& ns, std::string const& key) {
  auto* data = object.find("data");
  auto* found = data ? data->find(key) : nullptr;
  auto* text = found ? found->as_string() : nullptr;
  auto value = !text ? std::nullopt : what.encoded ? encoding::from_base64(*text) : std::optional(*text);
  if (!value || value->empty()) return std::unexpected(problem_with(what, ns, "has no valid " + key + "."));
  return std::move(*value);
}

/// Readable by the folder's group: etcd's container of the same pod may run as another user, and shares only the pod's fsGroup, which the
/// kubelet made the group of the folder.
void write_for_group(files::fs::path const& folder, std::string const& name, std::string const& content) {
  files::write_file(folder / name, content, 0640);
  struct stat facts{};
  if (::stat(folder.c_str(), &facts) != 0) return;
  if (::chown((folder / name).c_str(), static_cast<uid_t>(-1), facts.st_gid) != 0) return;  // then only the same user can read it
}

using files_result = std::expected<std::map<std::string, std::string>, std::string>;

app::awaitable<files_result> read_files(kubernetes::client& api, std::string ns) {
  std::map<std::string, std::string> out;
  struct wanted {
    holder from;
    std::vector<std::string> keys;
  };
  std::vector<wanted> all{{client_tls, {"etcd-client.crt", "etcd-client.key"}}, {authority, {"ca.crt"}}};
  for (auto& each : all) {
    auto object = co_await read_object(api, each.from, ns);
    if (!object) co_return std::unexpected(std::move(object.error()));
    for (auto& key : each.keys) {
      auto value = value_of(*object, each.from, ns, key);
      if (!value) co_return std::unexpected(std::move(value.error()));
      out[key] = std::move(*value);
    }
  }
  co_return out;
}

}  // namespace

app::awaitable<verb_result> fetch_certificates(clock& time, certificate_fetch what) {
  auto who = kubernetes::from_pod(what.service_account);
  if (!who) co_return std::unexpected(std::move(who.error()));
  kubernetes::client api(time, co_await asio::this_coro::executor, std::move(*who));
  auto read = co_await read_files(api, what.hcp_namespace);
  if (!read) co_return std::unexpected(std::move(read.error()));
  files::make_folder(what.output_dir);
  for (auto& [name, content] : *read) write_for_group(what.output_dir, name, content);
  co_return "The certificates of etcd in " + what.hcp_namespace + " are in " + what.output_dir + ".";
}

}  // namespace kopiur::executor
