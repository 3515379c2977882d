#include "services/cli/shell/session.hpp"

#include <unistd.h>

#include <boost/asio.hpp>
#include <cstdio>
#include <random>

#include "common/bus/nats_port.hpp"
#include "proto/codec.hpp"
#include "proto/subjects.hpp"
#include "services/controller/shell/gateway_call.hpp"
#include "services/runtime/embedded/bus_server.hpp"

namespace kopiur::cli {

namespace asio = boost::asio;
namespace subjects = proto::subjects;
using namespace std::chrono_literals;

namespace {

bus::nats_options options_for(settings const& settings) {
  bus::nats_options options{.name = "kopiur cli", .connect_for = 3s, .patience = 10s};
  if (!settings.bus.empty()) {
    options.urls = {settings.bus}, options.credentials = settings.credentials, options.tls.authorities = settings.ca_file;
    return options;
  }
  auto access = embedded::read_access(settings.data);
  if (!access) throw complaint(not_running, access.error());
  options.locate = [data = settings.data](bus::nats_options& now) {  // another server may answer by the next attempt
    auto found = embedded::read_access(data);
    return found ? embedded::use(*found, now) : found.error();
  };
  return options;
}

asio::awaitable<int> serve(asio::io_context& loop, settings settings, session_body body) {
  app::system_clock time(loop.get_executor());
  int code = failed;
  auto served = co_await bus::nats_port::with(loop, options_for(settings), [&](bus::nats_port& bus) -> asio::awaitable<void> {
    session session(bus, time, loop.get_executor(), settings.cluster);
    auto run_body = [&]() -> asio::awaitable<void> { code = co_await body(session); };
    co_await app::first_of(session.run(), run_body());
  });
  if (served) co_return code;
  auto& why = served.error().text;
  if (!settings.bus.empty()) throw complaint(not_running, why);
  throw complaint(not_running, "Nothing answers on " + settings.data + " (" + why + "). Start it with: kopiur up --data " + settings.data);
}

exit_code code_for(proto::answer_code code) { return code == proto::answer_code::NotFound ? not_found : failed; }

}  // namespace

session::session(bus::port& bus, clock& time, asio::any_io_executor loop, std::string cluster)
    : bus_(bus),
      time_(time),
      loop_(loop),
      cluster_(std::move(cluster)),
      view_(bus, time, loop, std::string(subjects::resources), {"kopiur.v1.resource." + subjects::token(cluster_) + ".>"}),
      changed_(loop) {
  view_.on_change([this](std::string const& subject, bus::stored const* now) {
    auto taken = controller::apply(objects_, subject, now ? &now->body : nullptr);
    if (!taken) std::fprintf(stderr, "kopiur: one object cannot be read (%s): %s\n", subject.c_str(), taken.error().text().c_str());
    changed_.notify();
  });
}

session::task session::until_listed() {
  auto limit = now() + 10s;
  while (!view_.ready() || !objects_.listed) {
    if (now() > limit)
      throw complaint(timed_out,
                      "The gateway has not listed its objects within 10 s. It may be starting: run kopiur doctor, and see kopiur.log in "
                      "the data folder.");
    co_await changed(200ms);
  }
}

session::task session::changed(duration limit) { co_await app::first_of(changed_.wait(changed_.epoch()), time_.sleep_for(limit)); }

std::vector<json::value> session::documents(std::string_view kind, selection const& which) const {
  std::vector<json::value> found;
  for (auto const& [subject, message] :
       view_.under("kopiur.v1.resource." + subjects::token(cluster_) + "." + subjects::token(kind) + ".")) {
    auto ns = subjects::part(subject, 5);
    if (bus::says_gone(message) || !selected(which, ns == "-" ? "" : subjects::name(ns), subjects::name(subjects::part(subject, 6))))
      continue;
    auto read = json::parse(message.body);
    if (!read) continue;
    if (!read->find("metadata"))  // a Job has its name only in the subject
      read->set("metadata", json::object{{"name", subjects::name(subjects::part(subject, 6))}, {"namespace", subjects::name(ns)}});
    found.push_back(std::move(*read));
  }
  return found;
}

json::value session::document(proto::object_ref const& object) const {
  auto* message = view_.find(subjects::resource(cluster_, object.kind, object.namespace_, object.name));
  auto read = message ? json::parse(message->body) : json::value();
  return read ? *read : json::value();
}

asio::awaitable<proto::answer> session::ask(proto::gateway_command command) {
  auto said = co_await controller::call_gateway({bus_, time_, loop_, cluster_, "cli"}, std::move(command), "cli-" + unique_text());
  if (said) co_return std::move(*said);
  throw complaint(
      timed_out,
      "The gateway does not answer. The command is on the bus and will be carried out when the gateway runs again; run kopiur doctor.");
}

asio::awaitable<proto::answer> session::demand(proto::gateway_command command, std::string what) {
  auto said = co_await ask(std::move(command));
  if (said.code != proto::answer_code::Ok) throw complaint(code_for(said.code), what + ": " + said.message);
  co_return said;
}

int with_session(settings const& settings, session_body body) {
  return drive([settings, body = std::move(body)](asio::io_context& loop) { return serve(loop, settings, body); });
}

std::string unique_text() {
  std::random_device random;
  char text[40];
  std::snprintf(text, sizeof text, "%08x%08x%08x", random(), random(), static_cast<unsigned>(::getpid()));
  return text;
}

}  // namespace kopiur::cli
