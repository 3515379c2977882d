#include <boost/asio.hpp>
#include <random>

#include "common/encoding/hex.hpp"
#include "services/executor/core/openbao/answers.hpp"
#include "services/executor/core/openbao/names.hpp"
#include "services/executor/shell/openbao/check_snapshot.hpp"
#include "services/executor/shell/openbao/download.hpp"
#include "services/executor/shell/openbao/members.hpp"
#include "services/executor/shell/openbao/steps.hpp"

namespace kopiur::executor::openbao {

namespace asio = boost::asio;
using asio::awaitable;
using namespace std::chrono_literals;

namespace {

constexpr duration snapshot_limit = 30min, silence_limit = 5min;

std::string random_digits() {
  std::random_device source;
  std::string four;
  for (int i = 0; i < 4; ++i) four += static_cast<char>(source() & 0xFF);
  return encoding::hex(four);
}

/// The leader's snapshot on the local disk.
awaitable<outcome<staged_snapshot>> take(members& members, int leader, std::string token, std::string folder) {
  staged_file file(folder);
  auto request = co_await members.request_to(leader, "GET", "/v1/sys/storage/raft/snapshot", std::move(token));
  request.limits = {.total = snapshot_limit, .idle = silence_limit};
  auto answer = co_await members.send(std::move(request));
  if (!answer) co_return std::unexpected(trouble{status::refused, "OpenBao gave no snapshot. " + answer.error()});
  if (answer->head().status != 200) {
    auto body = co_await answer->text(256 << 10);
    co_return std::unexpected(snapshot_refused(answer->head().status, body.value_or("")));
  }
  auto staged = co_await stage(std::move(file), [&answer](asio::mutable_buffer buffer) { return answer->read(buffer); });
  if (!staged && staged.error().code == status::storage) staged.error().code = status::refused;
  if (!staged) co_return staged;
  auto problem = snapshot_problem(staged->file);
  if (problem.empty()) co_return staged;
  co_return std::unexpected(
      trouble{status::verification, "The snapshot that OpenBao gave is not whole: " + problem + ". Nothing was uploaded. Try again."});
}

/// Takes the snapshot of a cluster that stays the same meanwhile.
awaitable<outcome<staged_snapshot>> take_from(members& members, backup_settings const& what, report& known) {
  auto leader = co_await members.find_leader();
  if (!leader) co_return std::unexpected(std::move(leader.error()));
  auto token = co_await members.log_in(what.login, *leader);
  if (!token) co_return std::unexpected(std::move(token.error()));
  auto before = co_await members.look_at(*leader);
  auto staged = co_await take(members, *leader, *token, what.staging);
  if (!staged) co_return staged;
  auto after = co_await members.look_at(*leader);
  if (!before.answer || !after.answer || before.answer->cluster_id != after.answer->cluster_id ||
      before.answer->version != after.answer->version)
    co_return std::unexpected(
        trouble{status::verification, "OpenBao was restored or upgraded during the snapshot. Nothing was uploaded. Try again."});
  known.cluster_id = after.answer->cluster_id, known.version = after.answer->version;
  known.size = staged->file.size(), known.digest = staged->digest;
  co_return staged;
}

awaitable<outcome<void>> upload(surroundings const& here, backup_settings const& what, staged_snapshot const& snapshot, std::string key) {
  http::pool connections(here.time, co_await asio::this_coro::executor);
  store_caller caller{here.time, blob::over(connections), here.variables, "openbao-backup"};
  auto store = co_await open_store(std::move(caller), what.store);
  if (!store) co_return std::unexpected(std::move(store.error()));
  auto stored = co_await store->put(key, snapshot.file.content());
  if (stored) co_return outcome<void>();
  auto& why = stored.error();
  auto begin = why.kind == blob::failure::conflict ? "The object " + key + " exists already, and nothing was overwritten. " : "";
  co_return std::unexpected(trouble{status::storage, begin + why.message});
}

}  // namespace

awaitable<report> backup(surroundings here, backup_settings what) {
  report known{.key = backup_key(what, here.time.now(), random_digits())};
  auto members = members::open(here.time, co_await asio::this_coro::executor, what.cluster);
  if (!members) co_return failed(std::move(known), members.error());
  try {
    auto snapshot = co_await take_from(**members, what, known);
    if (!snapshot) co_return failed(std::move(known), snapshot.error());
    auto stored = co_await upload(here, what, *snapshot, known.key);
    if (!stored) co_return failed(std::move(known), stored.error());
  } catch (std::system_error const& why) {
    if (app::is_cancelled(std::current_exception())) throw;
    co_return failed(std::move(known), {status::storage, std::string(why.what()) + ". Check the volume of RESTORE_STAGING_PATH."});
  }
  known.message = "The snapshot is stored as " + known.key + ".";
  co_return known;
}

}  // namespace kopiur::executor::openbao
