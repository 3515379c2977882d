#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>

#include "common/testing/bus_net.hpp"
#include "e2e/simulation/buckety/cloud.hpp"
#include "e2e/simulation/datacenter.hpp"
#include "e2e/simulation/tally.hpp"
#include "proto/buckety/buckety.hpp"
#include "proto/buckety/buckety_access.hpp"
#include "proto/buckety/claim.hpp"
#include "services/controller/shell/service_context.hpp"

namespace kopiur::simulation {

/// The part of a story that is about Buckety: the provisioner, object stores, their users, and the invariants. They read objects, buckets
/// and messages, never a service's memory.
class bucket_story {
 public:
  bucket_story(testing::world& home, testing::bus_net& net, datacenter& data, tally& told);
  bucket_story(bucket_story const&) = delete;

  /// Two namespaces, and one Secret of a user in each.
  static std::vector<json::value> first_objects();
  /// One replica of the provisioner.
  boost::asio::awaitable<void> serve(testing::process& self, controller::process_shared shared);
  /// Secret values as a gateway reads them when it starts.
  std::function<std::optional<std::string>(proto::configured_value const&)> configured() const;

  void plan_users(duration length);
  void plan_troubles(duration length);
  /// No more faults, and no more troubles.
  void calm_down();

  // What happens in the rest of the world.
  void stored(std::string const& key, json::value const& object);
  void gone(std::string const& key);
  void removed_by_service(proto::delete_object const& command);
  void published(bus::stored const& message);
  /// After the calm: every object is as wanted, or states a reason that is true.
  void check_end();

  /// Restarts all services, one after the other: their configuration has changed.
  std::function<void()> restart_services;
  /// Called after each change of a bucket by the product.
  std::function<void(char const* what, bucket_place const&)> on_act;
  cloud sky;

 private:
  // users.cpp
  void acts();
  bool user_makes(std::string const& ns);
  bool user_makes_rivals(std::string const& ns);
  bool user_deletes(std::string const& ns);
  bool user_makes_again(std::string const& ns);
  bool user_edits(std::string const& ns);
  bool user_relabels(std::string const& ns);
  bool user_makes_an_access(std::string const& ns);
  bool user_deletes_an_access(std::string const& ns);
  bool user_deletes_a_namespace(std::string const& ns);
  void make_when_gone(json::value manifest, int left);
  json::value new_buckety(std::string const& ns, std::string const& name);
  json::value new_access(std::string const& ns, std::string const& name);
  json::value some_default_access();
  json::value const* pick(std::string_view kind, std::string const& ns, std::function<bool(json::value const&)> fits = {});
  bool remove(json::value const* one);
  // outsiders.cpp
  bool user_makes_a_secret(std::string const& ns);
  bool user_deletes_a_secret(std::string const& ns);
  bool user_edits_a_secret(std::string const& ns);
  bool user_takes_a_secret(std::string const& ns);
  bool outsider_makes_a_bucket(std::string const& ns);
  bool outsider_deletes_a_bucket(std::string const& ns);
  bool outsider_writes(std::string const& ns);
  bool outsider_changes_settings(std::string const& ns);
  bool operator_rotates(std::string const& ns);
  bool put_bucket(bucket_place const& place, int objects);
  bucket_place some_place();

  // invariants.cpp
  proto::resource_claim claim_of(bucket_place const& place);
  json::value const* object_of(std::string_view uid) const;
  void removal_sent(bucket_place const& place, std::string const& uid);
  std::string sender_at(bucket_place const& place);
  void check_removal(bucket_place const& place, bucket const& doomed, sender const& by);
  void check_names(std::string const& key, json::value const& object);
  void check_secret(std::string const& key, json::value const& object);
  void check_left(json::value const& object);
  void collect_garbage(std::string const& key, json::value const& object);
  void watch_silent();
  // at_end.cpp
  void check_orphan(std::string const& key, json::value const& object);
  std::optional<std::string> false_reason(json::value const& object);
  std::optional<std::string> false_reason_of_access(json::value const& object);
  std::optional<std::string> wrong_secret(json::value const& access, json::value const& owner);
  std::vector<json::value const*> accesses_of(json::value const& object, bool implicit) const;

  std::string secret_now() const;
  void violate(std::string rule, std::string text) { home_.violate(std::move(rule), std::move(text)); }
  json::value const* find(std::string_view kind, std::string_view ns, std::string_view name) const;

  testing::world& home_;
  testing::bus_net& net_;
  datacenter& data_;
  tally& told_;
  testing::dice users_;
  int starts_ = 0, keys_ = 0, made_ = 0;         // keys_: how often the operator has rotated them
  std::map<std::string, std::string> theirs_;    // key of a user's Secret -> its content
  std::map<bucket_place, std::string> made_by_;  // the Buckety that has made a bucket of that name last, without a record of its removal
  std::map<std::string, std::pair<bool, instant>> policies_;  // uid of a Buckety -> whether it retains, since when
  std::map<std::string, json::value> last_;                   // key -> a Buckety as it was stored last
  std::set<std::string> of_users_;                            // uids of accesses that users have made
  std::map<std::string, int> silent_;                         // uid of an object without a condition -> minutes
  instant ended_{};                                           // when users and troubles have ended
};

/// The backends of every story.
std::shared_ptr<buckety::controller_config const> bucket_configuration();
/// What a run of many hours failed to show, one sentence each.
std::vector<std::string> bucket_shortfalls(tally const& told);

}  // namespace kopiur::simulation
