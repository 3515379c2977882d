#include "services/mover/shell/kopia.hpp"

#include <boost/asio.hpp>

#include "common/process/lines.hpp"
#include "services/mover/core/progress.hpp"
#include "services/mover/shell/failed.hpp"

namespace kopiur::mover {

namespace {

constexpr std::size_t kept_output = 4 * 1024 * 1024, kept_messages = 64 * 1024;

void keep_message(std::string& messages, std::string_view line) {
  messages += line;
  messages += '\n';
  if (messages.size() > kept_messages) messages.erase(0, messages.size() - kept_messages);
}

// Frames go to their sink; all other text is a message, including text that follows a frame in its record.
void take_record(std::string_view record, ran& result, run_options const& options) {
  auto clean = process::without_escapes(record);
  std::string_view message = clean;
  if (auto frame = read_frame(clean)) {
    if (options.progress) options.progress(frame->progress);
    message = frame->rest;
  }
  if (message.find_first_not_of(' ') == std::string_view::npos) return;
  keep_message(result.err, message);
  if (options.message) options.message(message);
}

awaitable<void> to_the_end(asio::any_io_executor loop, process::child& command, run_options const& options, ran& result) {
  process::line_splitter records([&](std::string_view record) { take_record(record, result, options); });
  auto collect = [&result](std::string_view bytes) {
    result.out += bytes.substr(0, kept_output - std::min(kept_output, result.out.size()));
  };
  auto wait = [](process::child& child, ran& result) -> awaitable<void> { result.ending = co_await child.wait(); };
  app::nursery all(loop);
  all.spawn(process::drain(command.out(), options.out ? options.out : collect));
  all.spawn(process::drain(command.err(), [&](std::string_view bytes) { records.feed(bytes); }));
  all.spawn(wait(command, result));  // when it ends, so do its own children, which may hold the pipes open
  co_await all.join();
  records.finish();
}

[[noreturn]] void explain(process::not_started const& why) {
  if (why.error == ENOENT || why.error == EACCES) throw failed_run(proto::kopia_failure::KopiaMissing, std::string(why.what()) + ".");
  if (why.error == EPERM)
    throw failed_run(proto::kopia_failure::PermissionDenied,
                     std::string(why.what()) +
                         ". As root outside a cluster the mover needs CAP_SYS_ADMIN to confine kopia to its target; set "
                         "KOPIUR_CONTAINED=1 where a container does that already.");
  throw failed_run(proto::kopia_failure::Unknown, std::string(why.what()) + ".");
}

}  // namespace

awaitable<void> kopia::guard(process::child& command) {
  while (!cancelled_) co_await stop_.wait(stop_.epoch());
  command.terminate();
  co_await time_.sleep_for(grace_);
  command.kill();
  co_await time_.sleep_for(std::chrono::hours(24));  // cancelled when the command ends
}

awaitable<ran> kopia::run(arguments command, run_options options) {
  if (cancelled_) throw failed_run(proto::kopia_failure::Cancelled);
  process::command start{.arguments = {program_}, .only_writable = options.only_writable};
  start.arguments.insert(start.arguments.end(), command.begin(), command.end());
  for (auto const& [name, value] : environment_) start.environment.push_back(name + "=" + value);
  std::optional<process::child> child;
  try {
    child.emplace(loop_, start);
  } catch (process::not_started const& why) {
    explain(why);
  }
  if (options.opens) ++opens_;
  auto result = co_await wait_for(*child, options);
  if (!result.ending.success()) last_words_ = last_lines(result.err, 10, 400);
  co_return result;
}

awaitable<ran> kopia::wait_for(process::child& command, run_options const& options) {
  ran result;
  auto both = app::first_of(to_the_end(loop_, command, options, result), guard(command));
  if (options.limit == duration::zero()) {
    co_await std::move(both);
    co_return result;
  }
  try {
    co_await app::within(time_, options.limit, std::move(both), "no answer");
  } catch (app::timed_out const&) {
    last_words_ = last_lines(result.err, 10, 400);
    throw failed_run(proto::kopia_failure::Unreachable, "The backend gave no answer within " + to_text(options.limit) + ".");
  }
  co_return result;
}

awaitable<std::optional<ran>> kopia::serve(arguments command, std::string ready, awaitable<void> use) {
  app::event changed(loop_);
  bool serves = false, used = false;
  std::optional<ran> ended;
  auto run_it = [&]() -> awaitable<void> {
    ended = co_await run(std::move(command), {.message = [&](std::string_view line) {
                           if (line.starts_with(ready)) serves = true, changed.notify();
                         }});
  };
  auto use_it = [&](awaitable<void> it) -> awaitable<void> {
    while (!serves) co_await changed.wait(changed.epoch());
    co_await std::move(it);
    used = true;
  };
  co_await app::first_of(run_it(), use_it(std::move(use)));
  co_return used ? std::nullopt : std::move(ended);
}

void kopia::cancel() {
  cancelled_ = true;
  stop_.notify();
}

}  // namespace kopiur::mover
