#include "services/runtime/shell/runtime.hpp"

#include <boost/asio.hpp>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "common/app/async.hpp"
#include "common/app/system_clock.hpp"
#include "common/bus/nats_port.hpp"
#include "common/encoding/number.hpp"
#include "common/files/modes.hpp"
#include "common/log/log.hpp"
#include "proto/streams.hpp"
#include "services/runtime/shell/health_registry.hpp"

namespace kopiur::runtime {

namespace asio = boost::asio;

namespace {

settings from_environment() {
  settings options;
  auto read = [](char const* name, std::string& target) {
    if (auto* value = std::getenv(name)) target = value;
  };
  read("KOPIUR_CLUSTER", options.cluster), read("KOPIUR_ADAPTER", options.adapter), read("KOPIUR_NATS_URL", options.nats_url),
      read("KOPIUR_NATS_USER", options.nats_user);
  read("KOPIUR_NATS_PASSWORD_FILE", options.nats_password_file), read("KOPIUR_NATS_CREDENTIALS", options.nats_credentials),
      read("KOPIUR_HTTP", options.http), read("KOPIUR_CONFIG", options.configuration), read("OTEL_EXPORTER_OTLP_ENDPOINT", options.traces);
  read("KOPIUR_NATS_CA_FILE", options.nats_ca_file), read("KOPIUR_NATS_CERT_FILE", options.nats_certificate_file),
      read("KOPIUR_NATS_KEY_FILE", options.nats_key_file);
  return options;
}

std::string read_secret(std::string const& path) {
  std::ifstream in(path);
  std::string line;
  if (!std::getline(in, line)) throw std::runtime_error("KOPIUR_NATS_PASSWORD_FILE names " + path + ", which cannot be read or is empty.");
  return line;
}

std::vector<std::string> split(std::string const& list) {
  std::vector<std::string> parts;
  std::istringstream in(list);
  for (std::string part; std::getline(in, part, ',');)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

bus::nats_options bus_options(settings const& settings, std::string const& name, log::logger log) {
  bus::nats_options options{.urls = split(settings.nats_url),
                            .name = "kopiur-" + name,
                            .user = settings.nats_user,
                            .credentials = settings.nats_credentials,
                            .tls = {settings.nats_ca_file, settings.nats_certificate_file, settings.nats_key_file}};
  if (!settings.nats_password_file.empty()) options.password = read_secret(settings.nats_password_file);
  options.notice = [log](std::string const& text) { log.warning("bus.notice", {{"text", text}}); };
  return options;
}

/// `kopiur bus apply` creates streams and durables. This only checks that the streams exist; the error says what to run.
asio::awaitable<void> check_streams(bus::port& bus) {
  for (auto& each : proto::streams(1)) {
    auto there = co_await bus.info(each.name);
    if (!there) throw std::runtime_error("Stream " + each.name + " does not exist (" + there.error().text + "). Run: kopiur bus apply");
  }
}

asio::awaitable<void> serve_all(asio::io_context& loop, std::string const& name, preparation const& prepare, settings const& settings) {
  auto serve = prepare(settings);
  log::logger log(name);
  app::system_clock time(loop.get_executor());
  health_registry all_of_us(time);
  auto options = bus_options(settings, name, log);
  options.on_dead_letter = all_of_us.count_dead_letters();
  auto served = co_await bus::nats_port::with(loop, std::move(options), [&](bus::nats_port& bus) -> asio::awaitable<void> {
    co_await check_streams(bus);
    app::nursery all(loop.get_executor());
    all.spawn(http::serve(
        settings.http, all_of_us.pages(), [&](int port) { log.info("http.listening", {{"port", port}}); },
        [&](std::string const& what) { log.warning("http.trouble", {{"what", what}}); }));
    all.spawn(until_lost(bus));
    all.spawn(bus::store_dead_letters(bus, proto::dead_letter_store(), all_of_us.count_dead_letters()));
    all.spawn(serve({bus, time, loop.get_executor(), all_of_us}));
    co_await all.join();
  });
  if (!served) throw std::runtime_error(served.error().text);
}

}  // namespace

asio::awaitable<void> until_lost(bus::nats_port& bus) {
  auto why = co_await bus.until_closed();
  throw std::runtime_error("The bus closed the connection for good: " + why);
}

std::int64_t number_from_1(std::string const& variable, std::string const& text) {
  auto number = encoding::whole_number<std::int64_t>(text);
  if (!number || *number < 1) throw std::runtime_error(variable + " is " + text + ", and must be a number from 1 on.");
  return *number;
}

int run_loop(std::string name, std::function<asio::awaitable<void>(asio::io_context&)> work) {
  files::create_private();
  log::start({});
  asio::io_context loop(1);
  asio::cancellation_signal stop;
  asio::signal_set signals(loop, SIGINT, SIGTERM);
  signals.async_wait([&](boost::system::error_code ec, int) {
    if (!ec) stop.emit(asio::cancellation_type::terminal);
  });
  int code = 0;
  auto done = [&](std::exception_ptr failed) {
    signals.cancel();
    if (!failed || app::is_cancelled(failed)) return;
    code = 1;
    try {
      std::rethrow_exception(failed);
    } catch (std::exception const& e) {
      log::logger(name).error("service.failed", {{"problem", e.what()}});
    }
  };
  asio::co_spawn(loop, work(loop), asio::bind_cancellation_slot(stop.slot(), done));
  loop.run();
  return code;
}

int run(std::string name, preparation prepare) {
  auto settings = from_environment();
  return run_loop(name, [&](asio::io_context& loop) { return serve_all(loop, name, prepare, settings); });
}

}  // namespace kopiur::runtime
