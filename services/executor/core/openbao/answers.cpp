#include "services/executor/core/openbao/answers.hpp"

#include "common/encoding/text.hpp"
#include "common/json/value.hpp"

namespace kopiur::executor::openbao {

namespace {

constexpr json::bounds of_answer{.bytes = 256 << 10, .depth = 32, .members = 10'000};

std::string answered(int http_status, std::string_view body) {
  auto errors = errors_in(body);
  return "answered " + std::to_string(http_status) + (errors.empty() ? "." : ": " + errors + ".");
}

/// OpenBao says so before it touches its storage.
bool is_damaged(int http_status, std::string const& errors) {
  return http_status == 500 && (errors.contains("failed to read snapshot file") || errors.contains("failed to decompress snapshot"));
}

/// The same, of the file in its temporary folder to which it copies a snapshot at first. Nothing else has these words.
bool has_no_room(int http_status, std::string const& errors) {
  return http_status == 500 &&
         (errors.contains("failed to create temp snapshot file") || errors.contains("failed to rewind temp snapshot") ||
          errors.contains("failed to read snapshot file: failed to read or write snapshot data: write "));
}

bool is_refusal(int http_status, std::string const& errors) {
  bool may_pass = http_status == 408 || http_status == 425 || http_status == 429;
  return http_status / 100 == 3 || (http_status / 100 == 4 && !may_pass) || is_damaged(http_status, errors) ||
         has_no_room(http_status, errors);
}

std::string advice_for(int http_status, std::string const& errors) {
  if (has_no_room(http_status, errors))
    return " Give OpenBao's pods a writable /tmp that has room for the snapshot, such as an emptyDir, and try again.";
  if (is_damaged(http_status, errors)) return " The snapshot is damaged or cut off: choose another one.";
  if (errors.contains("snapshot-force"))
    return " The snapshot is of a cluster with other unseal keys: set spec.force if that is intended, and have those keys ready.";
  if (http_status == 403) return " Allow update of sys/storage/raft/snapshot and snapshot-force in the policy of the role or token.";
  if (http_status / 100 == 3) return " The member does not lead any more: try again.";
  return "";
}

}  // namespace

std::string errors_in(std::string_view body) {
  auto read = json::parse(body, of_answer);
  auto* all = read ? read->find("errors") : nullptr;
  auto* list = all ? all->as_array() : nullptr;
  std::string out;
  for (auto& each : list ? *list : json::array())
    if (auto* text = each.as_string()) out += (out.empty() ? "" : "; ") + *text;
  for (auto& each : out)
    if (static_cast<unsigned char>(each) < 0x20) each = ' ';
  auto words = encoding::trimmed(out, " .*");
  return std::string(words.substr(0, 600));
}

outcome<std::string> read_login_answer(int http_status, std::string_view body) {
  auto refused = [&](std::string const& why) {
    return std::unexpected(trouble{status::authentication, "The login to OpenBao failed: it " + why});
  };
  if (http_status != 200)
    return refused(answered(http_status, body) + " Check the role at auth/jwt-operator, its bound_subject and its bound_audiences.");
  auto read = json::parse(body, of_answer);
  auto token = std::string(read ? read->text("auth.client_token") : std::string_view());
  if (token.empty()) return refused("answered without a token. Check that auth/jwt-operator is a JWT authentication.");
  return token;
}

report read_submission(int http_status, std::string_view body) {
  if (http_status / 100 == 2) return {.code = status::done, .message = "OpenBao took the snapshot."};
  auto errors = errors_in(body);
  if (is_refusal(http_status, errors))
    return {.code = status::refused,
            .message =
                "OpenBao refused the snapshot, and changed nothing: it " + answered(http_status, body) + advice_for(http_status, errors)};
  return {.code = status::unknown,
          .message = "The snapshot was submitted, and OpenBao " + answered(http_status, body) +
                     " Nobody knows whether it took the snapshot: look at its data and its log before anything else is done."};
}

report no_answer(std::string const& why, bool begun) {
  if (!begun) return {.code = status::refused, .message = "The snapshot was not sent, and nothing was changed. " + why};
  return {.code = status::unknown,
          .message = "The snapshot was submitted, and there was no answer. " + why +
                     " Nobody knows whether OpenBao took the snapshot: look at its data and its log before anything else is done."};
}

trouble snapshot_refused(int http_status, std::string_view body) {
  auto advice = http_status == 403 ? " Allow read of sys/storage/raft/snapshot in the policy of the role or token." : "";
  return {status::refused, "OpenBao gave no snapshot: it " + answered(http_status, body) + advice};
}

}  // namespace kopiur::executor::openbao
