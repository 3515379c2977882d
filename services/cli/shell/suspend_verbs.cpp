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

rules::suspension suspension_or_complain(session& on, proto::object_ref const& object) {
  auto found = rules::find_suspension(on.objects(), object);
  if (!found) throw complaint(failed, title(object) + " cannot be read, so it is not known whether it is suspended.");
  return *found;
}

/// Returns once the mirror has the change: from then on every service acts on it.
asio::awaitable<void> until_told(session& on, proto::object_ref const& object, bool suspended) {
  for (auto limit = on.now() + 30s;; co_await on.changed(200ms)) {
    auto now = rules::find_suspension(on.objects(), object);
    if (!now) throw complaint(not_found, title(object) + " was deleted meanwhile.");
    if (now->by_hand.empty() != suspended) co_return;
    if (on.now() > limit) throw complaint(timed_out, title(object) + " is changed, but no service knows it yet; run kopiur doctor.");
  }
}

asio::awaitable<int> suspend(session& on, settings with, proto::kind_info kind, std::string name, std::string reason) {
  co_await on.until_listed();
  auto object = named_or_complain(on, with, kind, name);
  if (auto already = already_suspended(suspension_or_complain(on, object))) {
    say(*already);
    co_return done;
  }
  proto::patch_metadata patch{.object = object};
  patch.annotations[std::string(proto::annotation::suspended)] = rules::suspension_note(on.now(), reason);
  co_await on.demand(std::move(patch), title(object) + " cannot be suspended");
  co_await until_told(on, object, true);
  say(title(object) + " is suspended: it starts nothing, and what runs now goes on. To resume, " +
      rules::way_to_resume(suspension_or_complain(on, object)));
  co_return done;
}

asio::awaitable<int> resume(session& on, settings with, proto::kind_info kind, std::string name) {
  co_await on.until_listed();
  auto object = named_or_complain(on, with, kind, name);
  auto now = suspension_or_complain(on, object);
  if (auto why = cannot_resume(on.objects(), now)) throw complaint(failed, *why);
  if (now.by_hand.empty()) {
    say(title(object) + " is not suspended.");
    co_return done;
  }
  co_await on.demand(proto::patch_metadata{.object = object, .remove_annotations = {std::string(proto::annotation::suspended)}},
                     title(object) + " cannot be resumed");
  co_await until_told(on, object, false);
  say(title(object) + " is resumed.");
  co_return done;
}

}  // namespace

int suspend_command(settings const& with, std::string const& kind, std::string const& name, std::string const& reason) {
  return with_session(with, [=](session& on) { return suspend(on, with, kind_or_complain(find_suspendable_kind(kind)), name, reason); });
}

int resume_command(settings const& with, std::string const& kind, std::string const& name) {
  return with_session(with, [=](session& on) { return resume(on, with, kind_or_complain(find_suspendable_kind(kind)), name); });
}

}  // namespace kopiur::cli
