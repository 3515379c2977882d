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

/// The runs of a cluster from their facts, each fact decoded once; found by id and by the objects that they concern. Pointers are valid
/// until the next suspension.
class run_index {
 public:
  struct entry {
    proto::run_state state;      ///< with `ordered_as`, even when the only fact is the first
    std::uint64_t sequence = 0;  ///< of its last fact
    bool shrunk = false;         ///< the fact was replaced by a smaller one, see shrink()
    std::uint64_t seen = 0;      ///< object sequence that its writer had seen; to act on the fact, a replica must have seen as much
  };

  /// `objects_seen`: the object sequence that this replica has seen; it is sent with each fact that it writes. `whole`: the runs that are
  /// kept with all of their facts; of the others only an outline is kept: their objects, stage and result. With thousands of runs, that
  /// saves most of the memory.
  run_index(service_context const& context, log::logger log, std::function<std::uint64_t()> objects_seen,
            std::function<bool(proto::run_state const&)> whole);
  run_index(run_index const&) = delete;

  /// The underlying view; the caller runs it and waits for it.
  bus::view& view() { return view_; }
  /// Called after a run changed; nullptr: it was removed. Must not throw.
  void on_change(void const* who, std::function<void(std::string const& run, entry const* now)> told) { told_.add(who, std::move(told)); }
  void forget(void const* who) { told_.forget(who); }

  /// nullptr: no such run was ever ordered, or it aged out.
  entry const* find(std::string const& run) const;
  /// A fact of the run exists, even if it cannot be decoded here: it may be of a newer version.
  bool is_written(std::string const& run) const;
  /// The runs of a plan, ended ones too, that concern the object of this uid, or the kopia repository of this unique id (concerned() in
  /// core/run_facts.hpp); sorted by id.
  std::vector<proto::run_state const*> of(std::string const& uid, std::string_view plan) const;
  /// The runs that are not over, by id.
  std::map<std::string, proto::run_state const*> const& open() const { return open_; }
  /// The runs that are not planned yet, by id.
  std::map<std::string, proto::run_state const*> const& due() const { return due_; }
  /// The runs that are not over and were ordered for the object of this kind and name, whatever its uid; sorted by id.
  std::vector<proto::run_state const*> open_for(proto::object_ref const& object) const;

  /// Writes the run's next fact over the one of sequence `expected`, as the service `by`. False: another replica was faster, and its fact
  /// is known now.
  boost::asio::awaitable<bool> write(std::string by, std::string run, std::uint64_t expected, proto::run_fact fact);
  /// The runs, at most `most`, that have been over since `then` or longer, and are not shrunk; the longest first.
  std::vector<std::string> over_since(instant then, std::size_t most) const;
  /// Replaces all facts of a run that is over by a smaller one that says the same. Nobody has to act on it: the header `shrunk_fact` says
  /// so. False: another replica was faster.
  boost::asio::awaitable<bool> shrink(std::string by, std::string run, std::uint64_t expected, proto::run_fact fact);
  /// Orders a run, once per id. False: it had been ordered before.
  boost::asio::awaitable<bool> order(std::string by, std::string run, proto::run_order what);

 private:
  using index = std::map<std::string, std::vector<proto::run_state const*>>;
  struct known : entry {
    bool ahead = false;                       // written by this replica, not yet received from the stream
    std::vector<index::iterator> found_by{};  // its entries in the index
  };
  boost::asio::awaitable<bool> store(std::string run, bus::publication message, proto::run_fact fact, bool shrunk);
  bus::publication message_of(std::string const& by, std::string const& run, std::uint64_t expected, proto::run_fact const& fact) const;
  void take(std::string const& run, bus::stored const* now);
  void put(std::string const& run, entry fact, bool ahead);
  void drop(std::string const& run);
  void enter(known& one, std::set<std::string> const& keys);
  void forget(known& one);
  std::vector<proto::run_state const*> under(std::string const& key) const;
  boost::asio::awaitable<void> catch_up(std::string const& run, std::uint64_t actual);

  service_context const context_;
  log::logger log_;
  std::function<std::uint64_t()> objects_seen_;
  std::function<bool(proto::run_state const&)> whole_;
  bus::view view_;
  std::map<std::string, known> runs_;
  index index_;  // "<uid> <plan>", and for open ones "open <kind> <namespace>/<name>": the runs, by id
  std::map<std::string, proto::run_state const*> open_, due_;
  std::set<std::pair<instant, std::string>> unshrunk_;  // runs that are over, by the time of their last fact
  listeners<std::string const&, entry const*> told_;
};

}  // namespace kopiur::controller
