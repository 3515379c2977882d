#include "services/executor/test/openbao/real_bao.hpp"

#include "common/app/system_clock.hpp"

namespace kopiur::executor::test {

namespace {

constexpr auto patience = std::chrono::seconds(60);

void shell(std::string const& command) {
  if (std::system((command + " >/dev/null 2>&1").c_str()) != 0) throw std::runtime_error("This failed: " + command);
}

std::string to_body(std::vector<std::pair<std::string, json::value>> members) {
  auto out = json::value::make_object();
  for (auto& [name, content] : members) out.set(name, std::move(content));
  return json::dump(out);
}

bool is(json::value const& from, std::string_view name, bool expected) {
  auto* found = from.find(name);
  auto* flag = found ? found->as_bool() : nullptr;
  return flag && *flag == expected;
}

}  // namespace

bao_authority::bao_authority(fs::path folder) : folder_(std::move(folder)) {
  auto ec = std::string(" -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes ");
  std::ofstream(folder_ / "names") << "subjectAltName=DNS:*.bao.ns.svc,DNS:*.other.ns.svc,IP:127.0.1.1,IP:127.0.2.1\n";
  shell("cd " + folder_.string() + " && openssl req -x509 -subj /CN=authority" + ec +
        "-keyout ca.key -out ca.crt && openssl req -subj /CN=bao" + ec +
        "-keyout bao.key -out bao.csr && openssl x509 -req -in bao.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile names "
        "-out bao.crt");
}

bao_cluster::bao_cluster(std::string name, std::vector<std::string> addresses)
    : name_(std::move(name)), addresses_(std::move(addresses)), authority_(folder_.path()), members_(addresses_.size()) {
  fs::create_directory(temporary_folder());
  start(0);
  await(0, [](auto& health) { return is(health, "initialized", false); });
  auto [status, keys] = call_member(0, "PUT", "/v1/sys/init", R"({"secret_shares":1,"secret_threshold":1})", "");
  auto* all = keys.find("keys");
  if (!all || !all->as_array() || all->as_array()->empty()) throw std::runtime_error("OpenBao cannot be initialized: " + json::dump(keys));
  token_ = keys.text("root_token"), unseal_key_ = *all->as_array()->front().as_string();
  unseal(0, unseal_key_);
  await(0, [](auto& health) { return is(health, "standby", false); });
  for (int i = 1; i < replicas(); ++i) {
    start(i);
    await(i, [](auto& health) { return is(health, "initialized", true) && is(health, "sealed", true); });
    unseal(i, unseal_key_);
    await(i, [](auto& health) { return is(health, "sealed", false); });
  }
  call("POST", "/v1/sys/mounts/kv", R"({"type":"kv"})");
  await_voters();
}

void bao_cluster::start(int ordinal) {
  auto number = std::to_string(ordinal), address = addresses_[static_cast<std::size_t>(ordinal)];
  auto quoted = [](fs::path const& path) { return "\"" + path.string() + "\""; };
  fs::create_directories(folder_ / ("data-" + number));
  std::ofstream config(folder_ / (number + ".hcl"));
  config << "disable_mlock = true\nstorage \"raft\" {\n  path = " << quoted(folder_ / ("data-" + number)) << "\n  node_id = \"n" << number
         << "\"\n  performance_multiplier = 1\n  retry_join {\n    leader_api_addr = \"https://" << host(0)
         << ":8200\"\n    leader_ca_cert_file = " << quoted(ca()) << "\n  }\n}\nlistener \"tcp\" {\n  address = \"" << address
         << ":8200\"\n  cluster_address = \"" << address << ":8201\"\n  tls_cert_file = " << quoted(authority_.certificate())
         << "\n  tls_key_file = " << quoted(authority_.key()) << "\n}\ncluster_addr = \"https://" << address
         << ":8201\"\napi_addr = \"https://" << host(ordinal)
         << ":8200\"\naudit \"file\" \"log\" {\n  options {\n    file_path = \"audit\"\n  }\n}\n";  // for all: in the folder of each
  config.close();
  auto log = (folder_ / ("log-" + number)).string();
  members_[static_cast<std::size_t>(ordinal)] = std::make_unique<process::child>(
      loop_.get_executor(), process::command{.arguments = {"/bin/sh", "-c", "exec \"$@\" > " + log + " 2>&1", "sh", part("KOPIUR_OPENBAO"),
                                                           "server", "-config=" + (folder_ / (number + ".hcl")).string()},
                                             .environment = {"HOME=" + folder_.path().string(), "TMPDIR=" + temporary_folder().string()},
                                             .directory = folder_ / ("data-" + number)});
}

std::pair<int, json::value> bao_cluster::call_member(int ordinal, std::string method, std::string path, std::string body,
                                                     std::string token) {
  std::pair<int, json::value> found;
  testing::run([&](asio::io_context& loop) -> asio::awaitable<void> {
    app::system_clock time(loop.get_executor());
    http::request what{.method = method, .url = "https://" + host(ordinal) + ":8200" + path, .body = body, .ca_file = ca()};
    if (!token.empty()) what.headers.emplace_back("X-Vault-Token", token);
    auto answer = co_await http::send(time, std::move(what));
    if (answer) found = {answer->status, json::parse(answer->body).value_or(json::value())};
  });
  return found;
}

json::value bao_cluster::await(int ordinal, std::function<bool(json::value const&)> until) {
  json::value health;
  for (auto end = std::chrono::steady_clock::now() + patience; std::chrono::steady_clock::now() < end;) {
    health = call_member(ordinal, "GET", "/v1/sys/health", "", "").second;
    if (until(health)) return health;
  }
  throw std::runtime_error("OpenBao does not become ready: " + json::dump(health) + read_all(folder_ / ("log-" + std::to_string(ordinal))));
}

/// A member that joins has no vote at first.
void bao_cluster::await_voters() {
  call("POST", "/v1/sys/storage/raft/autopilot/configuration", R"({"server_stabilization_time":"1s"})");
  for (auto end = std::chrono::steady_clock::now() + patience; std::chrono::steady_clock::now() < end;) {
    auto text = json::dump(call("GET", "/v1/sys/storage/raft/configuration").second);
    int count = 0;
    for (auto found = text.find("\"voter\":true"); found != text.npos; found = text.find("\"voter\":true", found + 1)) ++count;
    if (count == replicas()) return;
  }
  throw std::runtime_error("Not all members of OpenBao got a vote.");
}

int bao_cluster::leader() {
  for (auto end = std::chrono::steady_clock::now() + patience; std::chrono::steady_clock::now() < end;)
    for (int i = 0; i < replicas(); ++i)
      if (members_[static_cast<std::size_t>(i)] && is(call_member(i, "GET", "/v1/sys/health", "", "").second, "standby", false)) return i;
  throw std::runtime_error("No member of OpenBao leads.");
}

std::pair<int, json::value> bao_cluster::call(std::string method, std::string path, std::string body, std::string token) {
  auto ordinal = leader();
  return call_member(ordinal, method, path, body, token.empty() ? token_ : token);
}

void bao_cluster::write_secret(std::string name, std::string value) {
  auto status = call("POST", "/v1/kv/" + name, to_body({{"value", std::move(value)}})).first;
  EXPECT_EQ(status, 204);
}

std::string bao_cluster::read_secret(std::string name, std::string token) {
  return std::string(call("GET", "/v1/kv/" + name, "", token).second.text("data.value"));
}

void bao_cluster::unseal(int ordinal, std::string const& key) {
  auto status = call_member(ordinal, "PUT", "/v1/sys/unseal", to_body({{"key", key}}), "").first;
  EXPECT_EQ(status, 200);
}

long bao_cluster::submissions() const {
  long sum = 0;
  for (int i = 0; i < replicas(); ++i) {
    std::istringstream log(read_all(folder_ / ("data-" + std::to_string(i)) / "audit"));
    for (std::string line; std::getline(log, line);) {
      auto entry = json::parse(line).value_or(json::value());
      if (entry.text("type") == "request" && entry.text("request.operation") == "update" &&
          entry.text("request.path").starts_with("sys/storage/raft/snapshot"))
        ++sum;
    }
  }
  return sum;
}

}  // namespace kopiur::executor::test
