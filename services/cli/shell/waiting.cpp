#include "services/cli/shell/waiting.hpp"

#include <boost/asio.hpp>

#include "proto/codec.hpp"
#include "proto/subjects.hpp"
#include "services/cli/core/formatting.hpp"
#include "services/cli/shell/output.hpp"

namespace kopiur::cli {

namespace asio = boost::asio;
namespace subjects = proto::subjects;
using namespace std::chrono_literals;

namespace {

struct live_news {
  std::string run;
  proto::kopia_progress progress;
  instant heard{};
};

/// Keeps the newest progress of the object's current run until it is cancelled.
asio::awaitable<void> listen(session& session, live_news& last, proto::object_ref object) {
  auto lines = session.bus().listen("kopiur.v1.live." + subjects::token(session.cluster()) + ".*");
  for (;;) {
    auto message = co_await lines->next();
    auto run = subjects::name(subjects::part(message.subject, 4));
    auto read = json::read<proto::output_line>(message.body);
    if (!read || run != run_of(session.objects(), object)) continue;
    if (auto* found = std::get_if<proto::kopia_progress>(&*read)) last = {run, *found, session.now()};
  }
}

instant limit_of(session& session, settings const& settings) {
  return session.now() + duration(static_cast<std::int64_t>(settings.timeout * 1000));
}

complaint too_long(settings const& settings, proto::object_ref const& object, std::string const& state) {
  return {timed_out, object.kind + " " + object.name + " has not ended within " +
                         length_text(duration(static_cast<std::int64_t>(settings.timeout * 1000))) + " (" + state +
                         "). It goes on; wait again with: kopiur wait " + object.kind + " " + object.name};
}

/// A new object may reach the mirror late; after this time a missing object does not exist.
constexpr duration appears_within = 15s;

/// Throws a complaint when the object was deleted or never appeared.
void expect_there(session& session, proto::object_ref const& object, bool seen, instant begun) {
  if (!session.document(object).is_null() || (!seen && session.now() - begun < appears_within)) return;
  auto name = object.kind + " " + (object.namespace_.empty() ? "" : object.namespace_ + "/") + object.name;
  throw complaint(not_found, seen ? name + " was deleted meanwhile." : "There is no " + name + ".");
}

asio::awaitable<void> watch(session& session, settings settings, proto::object_ref object, live_news const& live, ending& out) {
  progress_line line;
  auto begun = session.now(), limit = limit_of(session, settings);
  for (bool seen = false;; seen = seen || !session.document(object).is_null()) {
    if (auto end = ended(session.objects(), object)) {
      out = *end;
      co_return;
    }
    expect_there(session, object, seen, begun);
    auto state = meanwhile(session.objects(), object);
    bool fresh = session.now() - live.heard < 10s && live.run == run_of(session.objects(), object);
    line.show(object.kind + " " + object.name + ": " + (fresh ? progress_text(live.progress) : state), session.now());
    if (session.now() > limit) throw too_long(settings, object, state);
    co_await session.changed(500ms);
  }
}

}  // namespace

asio::awaitable<int> wait_for(session& session, settings settings, proto::object_ref object) {
  co_await session.until_listed();
  live_news live;
  ending end;
  co_await app::first_of(listen(session, live, object), watch(session, settings, object, live, end));
  if (!end.good) throw complaint(failed, end.text);
  say(end.text, tone::good);
  co_return done;
}

asio::awaitable<int> wait_for_all(session& session, settings settings, std::vector<proto::object_ref> objects) {
  co_await session.until_listed();
  if (objects.size() == 1) co_return co_await wait_for(session, settings, objects.front());
  auto all = objects.size();
  std::vector<std::string> wrong;
  progress_line line;
  for (auto limit = limit_of(session, settings); !objects.empty(); co_await session.changed(500ms)) {
    std::erase_if(objects, [&](proto::object_ref const& one) {
      auto end = ended(session.objects(), one);
      if (end && !end->good) wrong.push_back(end->text);
      return end.has_value();
    });
    auto over = all - objects.size();
    line.show(bar_text(100.0 * static_cast<double>(over) / static_cast<double>(all), 30) + "  " + std::to_string(over) + " of " +
                  std::to_string(all),
              session.now());
    if (objects.empty()) break;
    if (session.now() > limit) throw too_long(settings, objects.front(), meanwhile(session.objects(), objects.front()));
  }
  line.clear();
  for (auto& each : wrong) say(each, tone::bad);
  if (!wrong.empty()) throw complaint(failed, std::to_string(wrong.size()) + " of " + std::to_string(all) + " failed.");
  say("All " + std::to_string(all) + " succeeded.", tone::good);
  co_return done;
}

asio::awaitable<int> wait_until_gone(session& session, settings settings, proto::object_ref object) {
  co_await session.until_listed();
  progress_line line;
  for (auto limit = limit_of(session, settings);; co_await session.changed(500ms)) {
    auto there = session.document(object);
    if (there.is_null() || (!object.uid.empty() && there.text("metadata.uid") != object.uid)) break;
    line.show(object.kind + " " + object.name + ": " + meanwhile(session.objects(), object), session.now());
    if (session.now() > limit) throw too_long(settings, object, meanwhile(session.objects(), object));
  }
  line.clear();
  say(object.kind + " " + object.name + " is gone.", tone::good);
  co_return done;
}

}  // namespace kopiur::cli
