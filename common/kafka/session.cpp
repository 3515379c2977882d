#include "common/kafka/session.hpp"

#include <sys/eventfd.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/experimental/channel.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstdint>
#include <map>
#include <system_error>

#include "common/encoding/join.hpp"
#include "common/kafka/properties.hpp"

namespace kopiur::kafka {

namespace asio = boost::asio;

namespace {

using config_handle = owned<rd_kafka_conf_t, rd_kafka_conf_destroy>;
using answers = asio::experimental::channel<void(boost::system::error_code, std::shared_ptr<rd_kafka_event_t>)>;
constexpr std::uint64_t one_wakeup = 1;

int new_eventfd() {
  int descriptor = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (descriptor < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
  return descriptor;
}

/// The library's handle; nullptr, with the reason.
rd_kafka_t* make_handle(connection const& target, std::chrono::milliseconds limit, std::string& unusable) {
  config_handle config(rd_kafka_conf_new());
  char reason[512]{};
  for (auto& [name, value] : properties_of(target, limit))
    if (rd_kafka_conf_set(config.get(), name.c_str(), value.c_str(), reason, sizeof reason) != RD_KAFKA_CONF_OK) {
      unusable = "The connection to Kafka cannot be used: `" + name + "` is not as librdkafka needs it.";  // its reason may have the value
      return nullptr;
    }
  rd_kafka_conf_set_events(config.get(), RD_KAFKA_EVENT_ERROR);
  // A consumer without a group: a producer's requests for metadata may make topics.
  auto* made = rd_kafka_new(RD_KAFKA_CONSUMER, config.get(), reason, sizeof reason);
  if (made)
    config.release();  // it owns them now
  else
    unusable = "The connection to Kafka cannot be used: " + std::string(reason) + ". Correct the backend's configuration.";
  return made;
}

}  // namespace

/// Lives on while a handler of the loop is on its way.
struct session::state : std::enable_shared_from_this<state> {
  state(asio::any_io_executor executor, connection const& target, std::chrono::milliseconds longest)
      : loop(std::move(executor)), wakeups(loop, new_eventfd()), seeds(encoding::join(target.seeds, ",")), limit(longest) {
    handle = make_handle(target, limit, unusable);
    if (!handle) return;
    queue.reset(rd_kafka_queue_new(handle));
    rd_kafka_queue_io_event_enable(queue.get(), wakeups.native_handle(), &one_wakeup, sizeof one_wakeup);
    queue_handle troubles(rd_kafka_queue_get_main(handle));
    rd_kafka_queue_forward(troubles.get(), queue.get());
  }
  ~state() {
    if (!handle) return;
    rd_kafka_queue_io_event_enable(queue.get(), -1, nullptr, 0);
    queue.reset();
    rd_kafka_destroy_flags(handle, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE);
  }

  void listen() {
    wakeups.async_read_some(asio::buffer(&counted, sizeof counted),
                            [self = weak_from_this()](boost::system::error_code failed, std::size_t) {
                              auto alive = self.lock();
                              if (failed || !alive) return;
                              alive->take_all();
                              alive->listen();
                            });
  }
  void take_all() {
    while (auto* next = rd_kafka_queue_poll(queue.get(), 0)) take(std::shared_ptr<rd_kafka_event_t>(next, rd_kafka_event_destroy));
  }
  void take(std::shared_ptr<rd_kafka_event_t> event) {
    if (rd_kafka_event_type(event.get()) == RD_KAFKA_EVENT_ERROR) return note_trouble(event.get());
    auto whose = waiting.find(reinterpret_cast<std::uintptr_t>(rd_kafka_event_opaque(event.get())));
    if (whose != waiting.end()) whose->second->try_send(boost::system::error_code(), std::move(event));
  }
  /// That all brokers are down follows from what was said about each.
  void note_trouble(rd_kafka_event_t* event) {
    bool sums_up = rd_kafka_event_error(event) == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN && !trouble.empty();
    if (!sums_up) trouble = rd_kafka_event_error_string(event);
  }
  error failed(rd_kafka_event_t* event) {
    auto why = error_of(rd_kafka_event_error(event), rd_kafka_event_error_string(event));
    if (why.kind == failure::unanswered)
      why.message =
          "Kafka at " + seeds + " has not answered: " + why.message + (trouble.empty() ? "" : " The last trouble: " + trouble + ".");
    return why;
  }

  asio::any_io_executor loop;
  asio::posix::stream_descriptor wakeups;
  std::string seeds, unusable, trouble;
  std::chrono::milliseconds limit;
  std::uint64_t counted = 0;
  rd_kafka_t* handle = nullptr;
  queue_handle queue;
  std::map<std::uintptr_t, answers*> waiting;  // by the number that is the request's opaque
  std::uintptr_t last = 0;
};

session::session(asio::any_io_executor loop, connection const& target, std::chrono::milliseconds limit)
    : state_(std::make_shared<state>(std::move(loop), target, limit)) {
  if (state_->handle) state_->listen();
}
session::~session() = default;

asio::awaitable<outcome<event_handle>> session::ask(request kind, sender send) {
  auto self = state_;
  if (!self->handle) co_return std::unexpected(error{failure::refused, self->unusable});
  self->take_all();  // only the first event in an empty queue wakes the loop: none may be left there
  options_handle options(rd_kafka_AdminOptions_new(self->handle, kind.what));
  char reason[256]{};
  auto const time = static_cast<int>(self->limit.count());
  rd_kafka_AdminOptions_set_request_timeout(options.get(), time, reason, sizeof reason);
  if (kind.waits) rd_kafka_AdminOptions_set_operation_timeout(options.get(), time / 2, reason, sizeof reason);
  if (kind.only_check) rd_kafka_AdminOptions_set_validate_only(options.get(), 1, reason, sizeof reason);

  auto const number = ++self->last;
  answers mine(self->loop, 1);
  struct place {
    session::state& of_client;
    std::uintptr_t number;
    ~place() { of_client.waiting.erase(number); }
  } kept{*self, number};
  self->waiting[number] = &mine;
  rd_kafka_AdminOptions_set_opaque(options.get(), reinterpret_cast<void*>(number));
  send(self->handle, options.get(), self->queue.get());
  auto event = co_await mine.async_receive(asio::use_awaitable);
  if (rd_kafka_event_error(event.get())) co_return std::unexpected(self->failed(event.get()));
  self->trouble.clear();
  co_return std::move(event);
}

}  // namespace kopiur::kafka
