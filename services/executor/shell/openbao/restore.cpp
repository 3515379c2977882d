#include <boost/asio.hpp>
#include <cstdio>

#include "services/executor/core/openbao/answers.hpp"
#include "services/executor/core/openbao/application.hpp"
#include "services/executor/shell/openbao/download.hpp"
#include "services/executor/shell/openbao/members.hpp"
#include "services/executor/shell/openbao/restore_object.hpp"
#include "services/executor/shell/openbao/steps.hpp"

namespace kopiur::executor::openbao {

namespace asio = boost::asio;
using asio::awaitable;
using namespace std::chrono_literals;

namespace {

constexpr duration submission_limit = 30min, loser_limit = 10min, application_limit = 8min, look_interval = 2s;

/// All that a submission needs.
struct prepared {
  std::shared_ptr<openbao::members> members;
  std::shared_ptr<restore_object> object;
  std::optional<staged_snapshot> snapshot;
  int leader = 0;
  target_pod target;
  std::string active_since;  ///< of the leader, before
  std::string token;
  judgement standing;  ///< of this pod, as the object was read last
};

outcome<std::shared_ptr<restore_object>> open_object(clock& time, asio::any_io_executor loop, surroundings const& here,
                                                     restore_settings const& what) {
  auto folder = variable(here.variables, "KOPIUR_SERVICE_ACCOUNT");  // tests
  auto account = folder.empty() ? kubernetes::from_pod() : kubernetes::from_pod(folder);
  if (!account) return std::unexpected(trouble{status::configuration, std::move(account.error())});
  return restore_object::open(time, std::move(loop), std::move(*account), what.cluster.ns, what.request);
}

awaitable<outcome<staged_snapshot>> fetch(surroundings const& here, restore_settings const& what) {
  http::pool connections(here.time, co_await asio::this_coro::executor);
  store_caller caller{here.time, blob::over(connections), here.variables, "openbao-restore"};
  auto store = co_await open_store(std::move(caller), what.store);
  if (!store) co_return std::unexpected(std::move(store.error()));
  try {
    co_return co_await download(std::move(*store), what);
  } catch (std::system_error const& why) {
    if (app::is_cancelled(std::current_exception())) throw;
    co_return std::unexpected(trouble{status::storage, std::string(why.what()) + ". Check the volume of RESTORE_STAGING_PATH."});
  }
}

/// Everything up to the claim, in the order in which it costs least to fail. `all` is filled as far as it comes.
awaitable<outcome<void>> prepare(surroundings const& here, restore_settings const& what, prepared& all, report& known) {
  auto loop = co_await asio::this_coro::executor;
  auto members = members::open(here.time, loop, what.cluster);
  if (!members) co_return std::unexpected(std::move(members.error()));
  if (auto wrong = login_problem(what.login); !wrong.empty()) co_return std::unexpected(trouble{status::configuration, std::move(wrong)});
  auto object = open_object(here.time, loop, here, what);
  if (!object) co_return std::unexpected(std::move(object.error()));
  all.members = *members, all.object = *object;

  auto snapshot = co_await fetch(here, what);
  if (!snapshot) co_return std::unexpected(std::move(snapshot.error()));
  all.snapshot = std::move(*snapshot);
  known.size = all.snapshot->file.size(), known.digest = all.snapshot->digest;

  auto leader = co_await all.members->find_leader();
  if (!leader) co_return std::unexpected(std::move(leader.error()));
  all.leader = *leader;
  auto token = co_await all.members->log_in(what.login, all.leader);
  if (!token) co_return std::unexpected(std::move(token.error()));
  all.token = std::move(*token);
  auto standing = co_await all.object->read();
  if (!standing) co_return std::unexpected(std::move(standing.error()));
  all.standing = std::move(*standing);
  if (all.standing.is != standing::open) co_return outcome<void>();
  all.target = co_await all.object->describe(all.members->pod(all.leader));
  all.active_since = co_await all.members->active_since(all.leader);
  auto still = co_await all.members->look_at(all.leader);
  if (still.answer && still.answer->leads()) co_return outcome<void>();
  co_return std::unexpected(
      trouble{status::leader, "The member " + all.target.name + " does not lead any more, and nothing was submitted. Try again."});
}

/// The same, until the deadline.
awaitable<outcome<void>> prepare_in_time(surroundings const& here, restore_settings const& what, prepared& all, report& known) {
  if (!what.deadline) co_return co_await prepare(here, what, all, known);
  outcome<void> ended;
  auto go = [](awaitable<outcome<void>> work, outcome<void>& into) -> awaitable<void> { into = co_await std::move(work); };
  auto late = trouble{status::configuration, "The preparation was not done by RESTORE_PREPARATION_DEADLINE (" + to_text(*what.deadline) +
                                                 "), and nothing was submitted."};
  auto left = *what.deadline - here.time.now();
  try {
    co_await app::within(here.time, left, go(prepare(here, what, all, known), ended), "late");
  } catch (app::timed_out const&) {
    ended = std::unexpected(std::move(late));
  }
  co_return ended;
}

/// Another pod of this Job submits. This one must not end before it: an ended pod ends the Job, and that ends the other pod.
awaitable<void> wait_as_loser(surroundings const& here, restore_settings const& what, std::string why) {
  std::fprintf(stderr, "%s This pod submits nothing, and waits for its end.\n", why.c_str());
  auto limit = loser_limit;
  if (what.deadline) limit += std::max(duration(0), *what.deadline - here.time.now());
  co_await app::first_of(here.stop.wait(), here.time.sleep_for(limit));
}

/// What stopped the preparation. Another pod's submission makes OpenBao seal and change its leader, so this one then waits as a loser.
awaitable<trouble> explain(surroundings const& here, restore_settings const& what, prepared const& all, trouble why) {
  if (!all.object) co_return why;
  auto standing = co_await all.object->read();
  if (!standing || standing->is != standing::taken) co_return why;
  co_await wait_as_loser(here, what, standing->why);
  co_return trouble{status::verification, std::move(standing->why)};
}

awaitable<outcome<judgement>> win_claim(surroundings const& here, restore_settings const& what, prepared const& all) {
  if (all.standing.is != standing::open) co_return all.standing;
  claim wanted{.pod_uid = what.request.pod_uid,
               .target = all.target,
               .digest = all.snapshot->digest,
               .size = all.snapshot->file.size(),
               .claimed_at = here.time.now()};
  co_return co_await all.object->claim_submission(std::move(wanted));
}

/// The only request that changes OpenBao.
awaitable<report> submit(restore_settings const& what, prepared const& all) {
  auto path = what.force ? "/v1/sys/storage/raft/snapshot-force" : "/v1/sys/storage/raft/snapshot";
  auto begun = std::make_shared<bool>(false);
  try {
    auto request = co_await all.members->request_to(all.leader, "POST", path, all.token);
    request.headers.emplace_back("Content-Type", "application/octet-stream");
    request.asks_first = true;
    request.limits = {.total = submission_limit, .idle = submission_limit};
    request.body = all.snapshot->file.body();
    request.body.read = [begun, read = std::move(request.body.read)](asio::mutable_buffer buffer) {
      *begun = true;
      return read(buffer);
    };
    auto answer = co_await all.members->send(std::move(request));
    if (!answer) co_return no_answer(answer.error(), *begun);
    auto body = co_await answer->text(256 << 10);
    co_return read_submission(answer->head().status, body.value_or(""));
  } catch (std::exception const& why) {
    co_return no_answer(std::string(why.what()) + ".", *begun);
  }
}

awaitable<look_after_answer> look(prepared const& all) {
  auto members = all.members->all();
  co_await all.members->look(members);
  look_after_answer seen{.members = judge(members)};
  if (auto leader = leader_among(members)) seen.now.active_since = co_await all.members->active_since(*leader);
  seen.now.container = (co_await all.object->describe(all.target.name)).container;
  co_return seen;
}

/// Looks until it is known whether the snapshot was applied. Twice, because a restarted container shows up in its Pod a moment later.
awaitable<void> watch(clock& time, bool other_keys, prepared const& all, std::optional<voters>& members, application_verdict& verdict) {
  leadership const before{.container = all.target.container, .active_since = all.active_since};
  std::optional<instant> sealed_since;
  for (int applied = 0; applied < 2;) {
    co_await time.sleep_for(look_interval);
    auto seen = co_await look(all);
    members = seen.members;
    bool sealed = members->all == voters::state::sealed;
    sealed_since = sealed ? std::optional(sealed_since.value_or(time.now())) : std::nullopt;
    if (sealed) seen.sealed_for = time.now() - *sealed_since;
    verdict = judge(before, seen, other_keys, all.target.name);
    if (verdict.is == application::sealed || verdict.is == application::doubtful) co_return;
    applied = verdict.is == application::applied ? applied + 1 : 0;
  }
}

/// OpenBao answers before it applies the snapshot.
awaitable<void> look_after(surroundings const& here, restore_settings const& what, prepared const& all, report& known) {
  application_verdict verdict;
  auto limit = here.time.sleep_for(application_limit);
  co_await app::first_of(watch(here.time, what.force, all, known.members, verdict), app::first_of(std::move(limit), here.stop.wait()));
  if (known.members) known.message += " " + sentence_for(*known.members, all.members->stateful_set());
  if (verdict.is == application::applied || verdict.is == application::sealed) co_return;
  known.code = status::unknown;
  auto why = verdict.is == application::doubtful ? verdict.why
             : here.stop.was_asked()             ? std::string("A signal came before it was seen that OpenBao has applied the snapshot.")
                                                 : "OpenBao was not seen to apply the snapshot within " + to_text(application_limit) + ".";
  known.message += " " + why + " Nobody knows whether the old or the new content is there: look at it before anything else is done.";
}

}  // namespace

awaitable<report> restore(surroundings here, restore_settings what) {
  report known{.key = what.key};
  prepared all;
  auto ready = co_await prepare_in_time(here, what, all, known);
  here.stop.protect();
  if (!ready) co_return failed(std::move(known), co_await explain(here, what, all, std::move(ready.error())));
  auto claimed = co_await win_claim(here, what, all);
  if (!claimed) co_return failed(std::move(known), claimed.error());
  if (claimed->is == standing::taken) co_await wait_as_loser(here, what, claimed->why);
  if (claimed->is != standing::open) co_return failed(std::move(known), {status::verification, std::move(claimed->why)});
  co_await here.time.sleep_for(1ms);  // a signal that came before the answer to the claim is seen after it
  if (here.stop.was_asked())
    co_return failed(std::move(known), {status::verification, "A signal came before the submission, and nothing was submitted."});
  auto submitted = co_await submit(what, all);
  known.code = submitted.code, known.message = std::move(submitted.message);
  if (known.code == status::done) co_await look_after(here, what, all, known);
  co_return known;
}

}  // namespace kopiur::executor::openbao
