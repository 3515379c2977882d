#include "common/log/log.hpp"

#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <chrono>

#include "common/time/instant.hpp"

namespace kopiur::log {

namespace {

spdlog::level::level_enum to_spdlog(level one) {
  switch (one) {
    case level::debug:
      return spdlog::level::debug;
    case level::info:
      return spdlog::level::info;
    case level::warning:
      return spdlog::level::warn;
    case level::error:
      return spdlog::level::err;
  }
  __builtin_unreachable();
}

std::shared_ptr<spdlog::logger> make(options const& options) {
  std::shared_ptr<spdlog::sinks::sink> sink;
  if (options.file.empty())
    sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  else
    sink = std::make_shared<spdlog::sinks::rotating_file_sink_mt>(options.file, options.max_bytes, options.kept);
  auto out = std::make_shared<spdlog::logger>("kopiur", std::move(sink));
  out->set_pattern("%v");
  out->set_level(to_spdlog(options.least));
  out->flush_on(spdlog::level::info);
  return out;
}

std::shared_ptr<spdlog::logger>& current() {
  static auto out = make({.least = level::warning});
  return out;
}

}  // namespace

void start(options options) { current() = make(options); }

void write(level one, std::string_view service, std::string_view event, fields fields) {
  auto& out = current();
  auto level_of_line = to_spdlog(one);
  if (!out->should_log(level_of_line)) return;
  json::value line = json::value::make_object();
  line.set("time", to_text(std::chrono::floor<duration>(std::chrono::system_clock::now())));
  auto name = spdlog::level::to_string_view(level_of_line);
  line.set("level", std::string_view(name.data(), name.size()));
  line.set("service", service);
  line.set("event", event);
  for (auto& each : fields) line.set(each.name, each.content);
  out->log(level_of_line, "{}", json::dump(line));
}

}  // namespace kopiur::log
