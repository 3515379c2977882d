#pragma once
#include "common/http/client.hpp"
#include "common/json/value.hpp"
#include "services/executor/test/etcd_snapshot.hpp"
#include "services/executor/test/program.hpp"

/// Real clusters of OpenBao, whose members have the names and addresses of with_names.sh.
namespace kopiur::executor::test {

/// A certificate of all names, and the authority that signed it.
class bao_authority {
 public:
  explicit bao_authority(fs::path folder);
  fs::path ca() const { return folder_ / "ca.crt"; }
  fs::path certificate() const { return folder_ / "bao.crt"; }
  fs::path key() const { return folder_ / "bao.key"; }

 private:
  fs::path folder_;
};

/// One cluster: Raft, TLS, one unseal key, an audit log for each member.
class bao_cluster {
 public:
  /// `addresses`: of the members, in order. Starts, initializes and unseals all; throws with a sentence.
  bao_cluster(std::string name, std::vector<std::string> addresses);

  std::string const& name() const { return name_; }
  int replicas() const { return static_cast<int>(addresses_.size()); }
  fs::path ca() const { return authority_.ca(); }
  std::string const& root_token() const { return token_; }
  std::string const& unseal_key() const { return unseal_key_; }
  /// Of all members.
  fs::path temporary_folder() const { return folder_ / "tmp"; }

  /// A call of the first member that leads; `token`: empty: the root's. Returns status and body.
  std::pair<int, json::value> call(std::string method, std::string path, std::string body = "", std::string token = "");
  void write_secret(std::string name, std::string value);
  /// Empty: there is none, or it cannot be read.
  std::string read_secret(std::string name, std::string token = "");
  /// Unseals a member with a key of this cluster, or another one.
  void unseal(int ordinal, std::string const& key);
  /// Requests that submitted a snapshot, by the members' audit logs.
  long submissions() const;

 private:
  void start(int ordinal);
  std::pair<int, json::value> call_member(int ordinal, std::string method, std::string path, std::string body, std::string token);
  json::value await(int ordinal, std::function<bool(json::value const&)> until);
  void await_voters();
  int leader();
  std::string host(int ordinal) const { return name_ + "-" + std::to_string(ordinal) + "." + name_ + ".ns.svc"; }

  std::string name_;
  std::vector<std::string> addresses_;
  testing::folder folder_;
  bao_authority authority_;
  asio::io_context loop_;
  std::vector<std::unique_ptr<process::child>> members_;
  std::string token_, unseal_key_;
};

}  // namespace kopiur::executor::test
