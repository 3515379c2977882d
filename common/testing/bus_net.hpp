#pragma once
#include "common/testing/call.hpp"
#include "common/testing/memory_bus.hpp"
#include "common/testing/world.hpp"

namespace kopiur::testing {

/// Probabilities of faults between a process and the bus; all zero: a perfect bus. The world's ledger counts each under its own name, and
/// those of `calls` under theirs.
struct fault_plan {
  call_faults calls;          ///< of every request; `twice` is a client that sends its buffer again after a reconnect
  double refused = 0;         ///< publish: the server refuses it
  double full = 0;            ///< publish: back-pressure
  double ambiguous = 0;       ///< publish: stored, but after 30 s the caller gets an error that no answer came
  double blind_conflict = 0;  ///< a lost compare-and-set is reported without the sequence
  double settle_lost = 0;     ///< an ack, retry, reject or progress that never arrives
  double delivery_late = 0;   ///< a delivery that takes up to calls.lateness
  double redelivered = 0;     ///< a delivery that comes again before its ack wait ends
  double feed_late = 0;       ///< a feed that lags behind up to calls.lateness
  double feed_restarted = 0;  ///< a feed that starts over
  double tell_lost = 0;       ///< a message without storage that never arrives
};

/// Items that arrived for one reader of one process, to be read by next(). Shared by the reader and the items in flight to it.
template <class T>
struct inbox {
  process& who;
  site& place;
  std::deque<T> arrived;
  std::deque<wait_id> waiting;

  void put(T item) {
    arrived.push_back(std::move(item));
    wake();
  }
  void wake() {
    for (; !waiting.empty(); waiting.pop_front())
      if (who.home().waiting(waiting.front())) return who.home().finish(waiting.front()), waiting.pop_front();
  }
};

/// Inbox of a worker. `taken`: returned by next() and unsettled. `coming`: in flight, in order, as on one connection.
struct work_box : inbox<bus::delivery> {
  int window = 1;
  std::deque<bus::delivery> coming;
  std::map<std::uint64_t, std::string> taken;  ///< sequence -> ticket
  bool has_room() const { return arrived.size() + coming.size() + taken.size() < static_cast<std::size_t>(window); }
};
struct feed_box : inbox<bus::feed_item> {
  std::string stream;
  std::vector<std::string> filters;
  std::string created;               ///< of the stream read so far; empty = none
  std::uint64_t cursor = 0;          ///< the last sequence read
  bool poked = false, over = false;  ///< over: it must start over
};
struct listen_box : inbox<bus::stored> {
  std::string subject;
};

/// The in-memory bus and its connections to the processes of a world: latency, faults, gaps. Services use it through memory_port.
class bus_net {
 public:
  explicit bus_net(world& home, fault_plan faults = {});
  bus_net(bus_net const&) = delete;

  world& home() { return home_; }
  /// For invariants, and for messages that the world itself publishes.
  memory_bus& server() { return server_; }
  /// May be changed while the world runs.
  fault_plan& faults() { return faults_; }

  /// Nothing answers and nothing is delivered for that long: 8 s for a leader change, longer for a bus outage. Stored messages stay. After
  /// more than 10 s every feed starts over, after less some do.
  void gap(duration length);
  /// The same for the processes of one name.
  void cut(std::string const& process_name, duration length);
  /// The bus returns empty: see memory_bus::lose_all.
  void lose_all();
  /// Subject prefix of the copies of rejected messages: `<prefix>.<stream>.<durable>`.
  std::string dead_prefix = "dead";

  // For memory_port.
  struct line {
    instant cut_until = instant::min();
  };
  struct desk {
    std::string stream, durable;
    std::vector<std::weak_ptr<work_box>> hands;
    bool poked = false;
    std::optional<instant> timer;
  };
  std::string next_id() { return "memory-" + std::to_string(++ids_); }
  line& line_of(std::string const& process_name) { return lines_[process_name]; }
  bool silent(line const& line) const { return home_.now() < silent_until_ || home_.now() < line.cut_until; }
  desk& join(std::string const& stream, std::string const& durable, std::shared_ptr<work_box> const&);
  void follow(std::shared_ptr<feed_box> const&);
  void listen(std::shared_ptr<listen_box> const& box) { listeners_.push_back(box); }
  void settle(desk&, work_box&, line const& from, bus::delivery, settlement);
  void poke(desk&);
  /// Handles the arrival of a message that needs no answer.
  void told(bus::publication const&);

 private:
  void stored(memory_stream const&, bus::stored const&);
  void poke_desks_of(std::string const& stream);
  void hear(bus::stored const&);
  void serve(desk&);
  std::shared_ptr<work_box> free_hand(desk&);
  void send(desk&, std::shared_ptr<work_box> const&, bus::delivery);
  void set_timer(desk&);
  bool store_dead_letter(desk const&, bus::delivery const& what, std::string const& reason);
  void poke(std::shared_ptr<feed_box> const&, duration after);
  void fill(std::shared_ptr<feed_box> const&);
  void start_over(feed_box&, memory_stream const&, std::size_t most);
  void come_back(duration silence, std::string const* process_name);
  duration lag() { return home_.chance().between(faults_.calls.fastest, faults_.calls.slowest); }
  duration lateness(fault_ledger::blow const& blow) const { return dice(blow.luck).between(duration(0), faults_.calls.lateness); }

  world& home_;
  fault_plan faults_;
  memory_bus server_;
  std::uint64_t ids_ = 0;
  instant silent_until_ = instant::min();
  std::map<std::string, line> lines_;
  std::map<std::pair<std::string, std::string>, desk> desks_;
  std::map<std::string, std::vector<std::weak_ptr<feed_box>>> feeds_;
  std::vector<std::weak_ptr<listen_box>> listeners_;
};

}  // namespace kopiur::testing
