#include "common/kubernetes/exec_plugin.hpp"

#include <unistd.h>

#include <boost/asio.hpp>

#include "common/encoding/base64.hpp"
#include "common/process/child.hpp"
#include "common/process/lines.hpp"

namespace kopiur::kubernetes {

using json::object;
using json::value;

namespace {

constexpr std::size_t longest_answer = 1 << 20, longest_complaint = 1000;
constexpr char const* interactive = "interactiveMode";

/// The program's input (KUBERNETES_EXEC_INFO): no user is present to answer it, and the cluster if it requests that.
std::string task_of(value const& exec, value const& cluster, std::string const& authority) {
  value spec = object{{"interactive", false}};
  auto* wanted = exec.find("provideClusterInfo");
  if (wanted && wanted->as_bool() && *wanted->as_bool()) {
    value told = object{{"server", cluster.text("server")}};
    if (!cluster.text("tls-server-name").empty()) told.set("tls-server-name", cluster.text("tls-server-name"));
    if (!authority.empty()) told.set("certificate-authority-data", encoding::base64(authority));
    auto* extensions = cluster.find("extensions");
    if (extensions && extensions->as_array())
      for (auto const& each : *extensions->as_array())
        if (auto* config = each.find("extension"); config && each.text("name") == "client.authentication.k8s.io/exec")
          told.set("config", *config);
    spec.set("cluster", std::move(told));
  }
  return json::dump(object{{"kind", "ExecCredential"}, {"apiVersion", exec.text("apiVersion")}, {"spec", std::move(spec)}});
}

std::vector<std::string> texts_in(value const* list) {
  std::vector<std::string> found;
  if (list && list->as_array())
    for (auto const& each : *list->as_array()) found.push_back(each.as_string() ? *each.as_string() : json::dump(each));
  return found;
}

/// The environment of this process, with the kubeconfig's variables, and the input.
std::vector<std::string> environment_for(exec_plugin const& plugin) {
  std::vector<std::string> all;
  auto is_set = [&](std::string_view one) {
    return one.starts_with("KUBERNETES_EXEC_INFO=") || plugin.environment.contains(std::string(one.substr(0, one.find('='))));
  };
  for (auto** each = ::environ; *each; ++each)
    if (!is_set(*each)) all.emplace_back(*each);
  for (auto const& [name, content] : plugin.environment) all.push_back(name + "=" + content);
  all.push_back("KUBERNETES_EXEC_INFO=" + plugin.task);
  return all;
}

std::string search_path_of(exec_plugin const& plugin) {
  auto own = plugin.environment.find("PATH");
  auto* ours = std::getenv("PATH");
  return own != plugin.environment.end() ? own->second : ours ? ours : "";
}

struct printed {
  std::string out, err;
  process::ending end;
};

awaitable<void> run(process::child& program, printed& into) {
  auto keep = [](std::string& target, std::size_t limit) {
    return [&target, limit](std::string_view bytes) { target += bytes.substr(0, limit - std::min(limit, target.size())); };
  };
  auto wait = [](process::child& child, printed& result) -> awaitable<void> { result.end = co_await child.wait(); };
  app::nursery all(co_await asio::this_coro::executor);
  all.spawn(process::drain(program.out(), keep(into.out, longest_answer)));
  all.spawn(process::drain(program.err(), keep(into.err, longest_complaint)));
  all.spawn(wait(program, into));
  co_await all.join();
}

std::string in_one_line(std::string_view text) {
  std::string out;
  process::line_splitter lines([&](std::string_view line) { out += (out.empty() ? "" : " / ") + process::without_escapes(line); });
  lines.feed(text), lines.finish();
  return out;
}

/// Why there is no credential, and the kubeconfig's hint how to get the program.
std::string complaint(exec_plugin const& plugin, std::string const& why, std::string_view said) {
  auto text = "The program " + plugin.command + ", by which the kubeconfig logs in, " + why;
  if (auto words = in_one_line(said); !words.empty()) text += ": " + words;
  if (!text.ends_with('.')) text += '.';
  if (!plugin.install_hint.empty()) text += " " + in_one_line(plugin.install_hint);
  return text;
}

std::string how_it_ended(process::ending const& end) {
  return end.signal ? "ended by signal " + std::to_string(end.signal) : "failed with status " + std::to_string(end.code);
}

}  // namespace

std::expected<exec_plugin, std::string> read_exec(value const& exec, std::filesystem::path const& folder, value const& cluster,
                                                  std::string const& authority) {
  auto version = exec.text("apiVersion");
  if (version != "client.authentication.k8s.io/v1" && version != "client.authentication.k8s.io/v1beta1")
    return std::unexpected("`exec.apiVersion` is \"" + std::string(version) +
                           "\"; it has to be client.authentication.k8s.io/v1 or v1beta1");
  if (exec.text("command").empty()) return std::unexpected("`exec.command` is not set");
  if (exec.text(interactive) == "Always")
    return std::unexpected("`exec.interactiveMode` is Always, and no terminal is attached; use another way to log in");
  std::string command(exec.text("command"));
  if (command.contains('/')) command = (folder / command).lexically_normal().string();
  exec_plugin found{.api_version = std::string(version),
                    .command = std::move(command),
                    .arguments = texts_in(exec.find("args")),
                    .environment = {},
                    .install_hint = std::string(exec.text("installHint")),
                    .task = task_of(exec, cluster, authority)};
  auto* variables = exec.find("env");
  if (variables && variables->as_array())
    for (auto const& each : *variables->as_array()) found.environment.emplace(each.text("name"), each.text("value"));
  return found;
}

std::expected<exec_credential, std::string> read_credential(std::string_view printed, std::string const& api_version) {
  auto said = json::parse(printed, {.bytes = longest_answer, .depth = 32, .members = 1'000});
  if (!said || said->text("kind") != "ExecCredential") return std::unexpected("printed no ExecCredential");
  if (said->text("apiVersion") != api_version)
    return std::unexpected("printed an ExecCredential of " + std::string(said->text("apiVersion")) + ", not of " + api_version +
                           " as the kubeconfig says");
  exec_credential found{.token = std::string(said->text("status.token")),
                        .certificate = std::string(said->text("status.clientCertificateData")),
                        .key = std::string(said->text("status.clientKeyData")),
                        .until = {}};
  if (found.certificate.empty() != found.key.empty())
    return std::unexpected("printed only one of clientCertificateData and clientKeyData, which belong together");
  if (found.token.empty() && found.certificate.empty()) return std::unexpected("printed neither a token nor a certificate");
  auto until = said->text("status.expirationTimestamp");
  if (!until.empty() && !(found.until = instant_from(until)))
    return std::unexpected("printed an expirationTimestamp that is not a time (\"" + std::string(until) + "\")");
  return found;
}

awaitable<std::expected<exec_credential, std::string>> exec_credentials::ask() {
  auto fail = [&](std::string const& why, std::string_view said = {}) { return std::unexpected(complaint(plugin_, why, said)); };
  auto program = process::find_program(plugin_.command, search_path_of(plugin_));
  if (!program) co_return fail("does not exist");
  printed said;
  try {
    process::command start{.arguments = {*program}, .environment = environment_for(plugin_), .with_user_modes = true};
    start.arguments.insert(start.arguments.end(), plugin_.arguments.begin(), plugin_.arguments.end());
    process::child child(loop_, start);
    co_await app::within(time_, limit_, run(child, said), "");
  } catch (app::timed_out const&) {
    co_return fail("has not ended within " + to_text(limit_) + " and was killed", said.err);
  } catch (process::not_started const& why) {
    co_return fail("cannot be started", why.what());
  }
  if (!said.end.success()) co_return fail(how_it_ended(said.end), said.err);
  auto found = read_credential(said.out, plugin_.api_version);
  if (!found) co_return fail(found.error(), said.err);
  co_return found;
}

awaitable<std::expected<exec_credential, std::string>> exec_credentials::now() {
  for (auto seen = runs_; running_;) {
    co_await ended_.wait(ended_.epoch());
    if (runs_ != seen) co_return last_;
  }
  if (known_ && (!known_->until || time_.now() < *known_->until)) co_return *known_;
  struct turn {
    exec_credentials& credentials;
    explicit turn(exec_credentials& whose) : credentials(whose) { credentials.running_ = true; }
    ~turn() { credentials.running_ = false, credentials.ended_.notify(); }
  } ours(*this);
  auto said = co_await ask();
  known_ = said ? std::optional(*said) : std::nullopt;
  last_ = said, ++runs_;
  co_return said;
}

}  // namespace kopiur::kubernetes
