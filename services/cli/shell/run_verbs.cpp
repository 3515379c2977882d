#include <boost/asio.hpp>
#include <cstdio>
#include <filesystem>

#include "proto/codec.hpp"
#include "proto/subjects.hpp"
#include "services/cli/core/formatting.hpp"
#include "services/cli/core/kinds.hpp"
#include "services/cli/shell/output.hpp"
#include "services/cli/shell/waiting.hpp"

/// backup now, import, restore, logs.
namespace kopiur::cli {

namespace asio = boost::asio;
namespace subjects = proto::subjects;
using namespace std::chrono_literals;
using proto::answer_code;

namespace {

asio::awaitable<void> first_word(bus::listener& acks, std::string& body) { body = (co_await acks.next()).body; }

/// The gateway keeps its answers for an hour: this reads the stored one when the ack was missed.
asio::awaitable<void> stored_word(session& session, std::string const& id, std::string& body) {
  auto subject = subjects::answer(session.cluster(), "gateway", "request", id);
  for (auto limit = session.now() + 30s; session.now() < limit;) {
    co_await session.time().sleep_for(250ms);
    auto last = co_await session.bus().last(std::string(subjects::answers), subject);
    if (!last || !*last) continue;
    body = (*last)->body;
    co_return;
  }
}

/// Uses the request API for outsiders, as any other program may.
asio::awaitable<proto::request_answer> request(session& session, std::string ns, std::string verb, std::string id, json::value what) {
  auto acks = session.bus().listen(subjects::request_ack(session.cluster(), ns, id));
  auto stored = co_await session.bus().publish(
      {.subject = subjects::request(session.cluster(), ns, verb), .body = json::dump(what), .head = {}, .id = id});
  if (!stored) throw complaint(failed, "The request could not be sent: " + stored.error().text);
  std::string body;
  co_await app::first_of(first_word(*acks, body), stored_word(session, id, body));
  if (body.empty())
    throw complaint(timed_out, "No answer to the request. It is on the bus and will be handled when the gateway runs; run kopiur doctor.");
  auto read = json::read<proto::request_answer>(body);
  if (!read) throw complaint(failed, "The answer to the request cannot be read: " + read.error().text());
  co_return std::move(*read);
}

asio::awaitable<int> backup_now(session& session, settings settings, std::string config, std::optional<std::string> source_path,
                                bool wait) {
  auto id = "cli-" + unique_text();
  auto said = co_await request(session, settings.ns, "backup", id, backup_request_body(id, config, source_path));
  if (!said.accepted) throw complaint(failed, "Refused: " + said.message);
  if (!wait) say(said.name);
  if (!wait) co_return done;
  co_return co_await wait_for(session, settings, {said.kind, said.namespace_, said.name, ""});
}

asio::awaitable<int> import_history(session& session, settings settings, std::vector<import_order> orders, bool wait) {
  std::vector<proto::object_ref> made;
  progress_line line;
  for (auto& each : orders) {
    auto manifest = import_manifest(each);
    std::string name(manifest.text("metadata.name"));
    auto said = co_await session.ask(proto::create_object{std::move(manifest)});
    if (said.code != answer_code::Ok && said.code != answer_code::AlreadyExists)
      throw complaint(failed, "The import of " + to_text(each.time) + " is refused: " + said.message);
    made.push_back(proto::ref_to<proto::backup>(settings.ns, name));
    line.show("handed in " + std::to_string(made.size()) + " of " + std::to_string(orders.size()), session.now());
    if (!wait) line.clear(), say(name);
  }
  line.clear();
  co_return wait ? co_await wait_for_all(session, settings, made) : done;
}

asio::awaitable<int> restore(session& session, settings settings, restore_order order, bool wait) {
  if (order.identity && !order.repository) {
    co_await session.until_listed();
    auto only = only_repository(session.objects(), order.ns);
    if (!only) throw complaint(usage, only.error());
    order.repository = *only;
  }
  auto manifest = restore_manifest(order);
  if (!manifest) throw complaint(usage, manifest.error());
  auto said = co_await session.ask(proto::create_object{std::move(*manifest)});
  if (said.code == answer_code::AlreadyExists)
    throw complaint(failed, "There is a Restore " + order.name + " already: choose another --name, or none.");
  if (said.code != answer_code::Ok) throw complaint(said.code == answer_code::NotFound ? not_found : failed, "Refused: " + said.message);
  if (!wait) say(order.name);
  if (!wait) co_return done;
  co_return co_await wait_for(session, settings, proto::ref_to<proto::restore>(order.ns, order.name));
}

/// The text of `status.logTail`, of the failure, and of the known Jobs.
std::string told(session& session, proto::object_ref const& object, json::value const& document) {
  std::string text(document.text("status.logTail"));
  if (text.empty())
    for (auto& [_, job] : session.objects().of<proto::job>())
      for (auto& served : job.serves)
        if (served.kind == object.kind && served.name == object.name && served.namespace_ == object.namespace_) text = job.status.log_tail;
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  if (auto why = document.text("status.failure.message"); !why.empty()) text += std::string(why) + "\n";
  return text;
}

asio::awaitable<void> follow_lines(session& session, proto::object_ref object) {
  auto lines = session.bus().listen("kopiur.v1.live." + subjects::token(session.cluster()) + ".*");
  for (;;) {
    auto message = co_await lines->next();
    auto read = json::read<proto::output_line>(message.body);
    auto run = subjects::name(subjects::part(message.subject, 4));
    if (!read || run != run_of(session.objects(), object)) continue;
    if (auto* found = std::get_if<proto::kopia_progress>(&*read)) say(to_text(session.now()) + "  " + progress_text(*found));
  }
}

asio::awaitable<void> until_over(session& session, proto::object_ref object) {
  std::string state;
  while (!ended(session.objects(), object)) {
    auto now = meanwhile(session.objects(), object);
    if (now != state) say(to_text(session.now()) + "  " + now);
    state = now;
    co_await session.changed(1s);
  }
}

asio::awaitable<int> logs(session& session, settings settings, proto::object_ref object, bool follow) {
  co_await session.until_listed();
  if (session.document(object).is_null())
    throw complaint(not_found, "There is no " + object.kind + " " + object.namespace_ + "/" + object.name + ".");
  if (follow) co_await app::first_of(follow_lines(session, object), until_over(session, object));
  auto text = told(session, object, session.document(object));
  std::fputs(text.c_str(), stdout);
  if (text.empty()) std::fprintf(stderr, "There is no output of a mover (%s).\n", meanwhile(session.objects(), object).c_str());
  auto end = ended(session.objects(), object);
  if (follow && end) say(end->text, end->good ? tone::good : tone::bad);
  co_return end && !end->good ? failed : done;
}

}  // namespace

int backup_now_command(settings const& settings, std::string const& config, std::optional<std::string> const& source_path, bool wait) {
  return with_session(settings, [=](session& session) { return backup_now(session, settings, config, source_path, wait); });
}

int import_command(settings const& settings, std::vector<import_order> const& orders, bool wait) {
  return with_session(settings, [=](session& session) { return import_history(session, settings, orders, wait); });
}

int restore_command(settings const& settings, restore_order const& order, bool wait) {
  return with_session(settings, [=](session& session) { return restore(session, settings, order, wait); });
}

int logs_command(settings const& settings, std::string const& kind, std::string const& name, bool follow) {
  return with_session(settings, [=](session& session) {
    auto known = find_kind(kind);
    if (!known) throw complaint(usage, known.error());
    return logs(session, settings, {std::string(known->kind), known->scope == proto::kind_scope::Cluster ? "" : settings.ns, name, ""},
                follow);
  });
}

}  // namespace kopiur::cli
