#pragma once
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "common/bus/view.hpp"
#include "common/log/log.hpp"
#include "proto/events/run.hpp"
#include "services/controller/shell/listeners.hpp"
#include "services/controller/shell/service_context.hpp"

namespace kopiur::controller {

/// The runs of a cluster as their facts tell, each fact decoded once, to be found by id and by what they are for. Pointers are good until
/// the next suspension.
class run_index {
 public:
  struct entry {
    proto::run_state state;      ///< with `ordered_as`, also where the only fact is the first
    std::uint64_t sequence = 0;  ///< of its last fact
    std::uint64_t seen = 0;      ///< how far in the stream of objects its writer had seen: who acts on the fact has to see as far
  };

  /// `objects_seen`: how far this replica sees the objects; it goes with each fact that it writes. `whole`: which runs are held with all
  /// that their facts tell; of the others there is an outline: for whom it is, its stage, and how it went. By thousands that is most of the
  /// memory.
  run_index(service_context const& at, log::logger log, std::function<std::uint64_t()> objects_seen,
            std::function<bool(proto::run_state const&)> whole);
  run_index(run_index const&) = delete;

  /// The view below: to be run, and waited for.
  bus::view& view() { return view_; }
  /// Called after a run changed; nullptr: it is gone. Must not throw.
  void on_change(void const* who, std::function<void(std::string const& run, entry const* now)> told) { told_.add(who, std::move(told)); }
  void forget(void const* who) { told_.forget(who); }

  /// nullptr: no such run was ever ordered, or it aged out.
  entry const* find(std::string const& run) const;
  /// There is a fact of it, which may be one that cannot be read here: of a newer version, perhaps.
  bool is_written(std::string const& run) const;
  /// Those of a plan that concern the object of this uid, or the kopia repository of this unique id (core/belonging.hpp), ended ones too;
  /// by id.
  std::vector<proto::run_state const*> of(std::string const& uid, std::string_view plan) const;
  /// Those that are not over, by id.
  std::map<std::string, proto::run_state const*> const& open() const { return open_; }
  /// Those of them that are not planned yet, by id.
  std::map<std::string, proto::run_state const*> const& due() const { return due_; }
  /// Those that are not over and were ordered for the object of this kind and name, whatever its uid; by id.
  std::vector<proto::run_state const*> open_for(proto::object_ref const& object) const;

  /// Writes the run's next fact over the one of sequence `expected`, as the service `by`. False: somebody else was quicker, and what they
  /// wrote is known now.
  boost::asio::awaitable<bool> write(std::string by, std::string run, std::uint64_t expected, proto::run_fact fact);
  /// Orders a run, once for its id. False: it had been ordered before.
  boost::asio::awaitable<bool> order(std::string by, std::string run, proto::run_order what);

 private:
  using index = std::map<std::string, std::vector<proto::run_state const*>>;
  struct known : entry {
    bool ahead = false;                       // written by this replica, and not yet told by the stream
    std::vector<index::iterator> found_by{};  // its places in the index
  };
  void take(std::string const& run, bus::stored const* now);
  void put(std::string const& run, entry fact, bool ahead);
  void drop(std::string const& run);
  void enter(known& one, std::set<std::string> const& keys);
  void forget(known& one);
  std::vector<proto::run_state const*> under(std::string const& key) const;
  boost::asio::awaitable<void> catch_up(std::string const& run, std::uint64_t actual);

  service_context const at_;
  log::logger log_;
  std::function<std::uint64_t()> objects_seen_;
  std::function<bool(proto::run_state const&)> whole_;
  bus::view view_;
  std::map<std::string, known> runs_;
  index of_;  // "<uid> <plan>", and of open ones "open <kind> <namespace>/<name>": the runs, by id
  std::map<std::string, proto::run_state const*> open_, due_;
  listeners<std::string const&, entry const*> told_;
};

}  // namespace kopiur::controller
