#include "common/kubernetes/access.hpp"
#include "common/kubernetes/exec_plugin.hpp"
#include "e2e/fuzz/fuzz.hpp"

namespace kopiur::fuzz {
namespace {

using namespace kubernetes;

std::optional<std::string> content_of(std::filesystem::path const& file) {
  return file == "/home/me/.kube/ca.crt" ? std::optional<std::string>("an authority") : std::nullopt;
}

void check_credential(std::string_view input) {
  auto said = read_credential(input, "client.authentication.k8s.io/v1");
  if (!said) return require(!said.error().empty(), "a refusal says why");
  require(!said->token.empty() || !said->certificate.empty(), "a credential is a token or a certificate");
  require(said->certificate.empty() == said->key.empty(), "a certificate comes with its key");
}

}  // namespace

/// A kubeconfig. Input that begins like JSON is also read as the output of a credential program.
void look(std::string_view input) {
  if (input.starts_with('{')) check_credential(input);
  auto read = read_kubeconfig(input, "/home/me/.kube/config", "", content_of);
  if (!read) return require(read.error().contains("/home/me/.kube/config"), "a refusal names the file");
  require(read->server.starts_with("https://"), "the API is spoken to over TLS");
  require(read->certificate.empty() == read->key.empty(), "a certificate comes with its key");
  require(!read->exec || !read->exec->command.empty(), "a program that logs in has a name");
}

}  // namespace kopiur::fuzz
