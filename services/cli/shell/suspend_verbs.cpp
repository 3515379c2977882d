#include <boost/asio.hpp>

#include "services/cli/core/suspending.hpp"
#include "services/cli/shell/named.hpp"
#include "services/cli/shell/output.hpp"

/// suspend, resume.
namespace kopiur::cli {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

std::string title(proto::object_ref const& object) { return object.kind + " " + object.name; }

rules::suspension suspension_or_complain(session& session, proto::object_ref const& object) {
  auto found = rules::find_suspension(session.objects(), object);
  if (!found) throw complaint(failed, title(object) + " cannot be read, so it is not known whether it is suspended.");
  return *found;
}

/// Returns once the mirror has the change: from then on every service acts on it.
asio::awaitable<void> until_told(session& session, proto::object_ref const& object, bool suspended) {
  for (auto limit = session.now() + 30s;; co_await session.changed(200ms)) {
    auto now = rules::find_suspension(session.objects(), object);
    if (!now) throw complaint(not_found, title(object) + " was deleted meanwhile.");
    if (now->by_hand.empty() != suspended) co_return;
    if (session.now() > limit) throw complaint(timed_out, title(object) + " is changed, but no service knows it yet; run kopiur doctor.");
  }
}

asio::awaitable<int> suspend(session& session, settings settings, proto::kind_info kind, std::string name, std::string reason) {
  co_await session.until_listed();
  auto object = named_or_complain(session, settings, kind, name);
  if (auto already = already_suspended(suspension_or_complain(session, object))) {
    say(*already);
    co_return done;
  }
  proto::patch_metadata patch{.object = object};
  patch.annotations[std::string(proto::annotation::suspended)] = rules::suspension_note(session.now(), reason);
  co_await session.demand(std::move(patch), title(object) + " cannot be suspended");
  co_await until_told(session, object, true);
  say(title(object) + " is suspended: it starts nothing, and what runs now goes on. To resume, " +
      rules::way_to_resume(suspension_or_complain(session, object)));
  co_return done;
}

asio::awaitable<int> resume(session& session, settings settings, proto::kind_info kind, std::string name) {
  co_await session.until_listed();
  auto object = named_or_complain(session, settings, kind, name);
  auto now = suspension_or_complain(session, object);
  if (auto why = cannot_resume(session.objects(), now)) throw complaint(failed, *why);
  if (now.by_hand.empty()) {
    say(title(object) + " is not suspended.");
    co_return done;
  }
  co_await session.demand(proto::patch_metadata{.object = object, .remove_annotations = {std::string(proto::annotation::suspended)}},
                          title(object) + " cannot be resumed");
  co_await until_told(session, object, false);
  say(title(object) + " is resumed.");
  co_return done;
}

}  // namespace

int suspend_command(settings const& settings, std::string const& kind, std::string const& name, std::string const& reason) {
  return with_session(
      settings, [=](session& session) { return suspend(session, settings, kind_or_complain(find_suspendable_kind(kind)), name, reason); });
}

int resume_command(settings const& settings, std::string const& kind, std::string const& name) {
  return with_session(settings,
                      [=](session& session) { return resume(session, settings, kind_or_complain(find_suspendable_kind(kind)), name); });
}

}  // namespace kopiur::cli
