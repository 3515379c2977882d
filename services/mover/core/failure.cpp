#include "services/mover/core/failure.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

#include "common/encoding/text.hpp"

namespace kopiur::mover {

namespace {

using enum proto::kopia_failure;

struct rule {
  std::string_view fragment;  ///< lower case
  proto::kopia_failure means;
  std::optional<activity> only_while;
  std::string_view remedy = {};  ///< a sentence, for a class that has many causes
};

// Order matters: a cause precedes the messages that kopia wraps around it, and a specific fragment precedes a general one.
constexpr rule rules[] = {
    {"killed by the kernel", OutOfMemory, {}},  // the mover's own text for signal 9
    {"no space left on device", DiskFull, {}},
    {"disk quota exceeded", DiskFull, {}},
    {"xminiostoragefull", DiskFull, {}},
    {"invalid repository password", WrongPassword, {}},
    {"password prompt error", PasswordMissing, {}},
    {"found existing data in storage location", LocationOccupied, {}},
    {"invalid format blob", LocationOccupied, {}},
    {"repository not initialized in the provided storage", NotInitialized, {}},
    {"message authentication failed", WrongRepository, {}},
    {"is backed by missing blob", DataLost, {}},
    {"blob not found", DataLost, activity::Restoring},
    {"blob not found", DataLost, activity::Reading},
    {"clock skew detected", ClockSkew, {}},
    {"requesttimetooskewed", ClockSkew, {}},
    {"maintenance must be run by designated user", NotMaintenanceOwner, {}},
    {"no snapshots matched", SnapshotMissing, {}},
    {"requested snapshot ids to verify", SnapshotMissing, {}},
    {"no snapshots contain data for", SnapshotMissing, {}},
    {": not found", SnapshotMissing, activity::Reading},
    {"object not found", SnapshotMissing, activity::Restoring},
    {"object not found", SnapshotMissing, activity::Reading},
    {"invalid object id", SnapshotMissing, {}},
    {"unable to get local filesystem entry", SourceMissing, activity::Snapshotting},
    {"fatal error(s) while snapshotting", SourceUnreadable, {}},
    {"could not change owner/group", PermissionDenied, activity::Restoring},
    {"will not overwrite existing symlink", TargetConflict, {}},
    {"not overwriting it", TargetConflict, {}},
    {"already exists", TargetConflict, activity::Restoring},
    {"not a directory", TargetConflict, activity::Restoring},
    {"is a directory", TargetConflict, activity::Restoring},
    {"read-only file system", PermissionDenied, activity::Restoring},
    {"permission denied", PermissionDenied, activity::Restoring},
    {"operation not permitted", PermissionDenied, activity::Restoring},
    {"access denied", AccessDenied, {}},
    {"accessdenied", AccessDenied, {}},
    {"access key id you provided does not exist", AccessDenied, {}},
    {"invalidaccesskeyid", AccessDenied, {}},
    {"signature we calculated does not match", AccessDenied, {}},
    {"signaturedoesnotmatch", AccessDenied, {}},
    {"unable to authenticate", AccessDenied, {}},  // ssh
    {"authenticationfailed", AccessDenied, {}},    // Azure
    {"401 unauthorized", AccessDenied, {}},
    {"403 forbidden", AccessDenied, {}},
    {": 401", AccessDenied, {}},
    {": 403", AccessDenied, {}},
    {"unauthorized", AccessDenied, {}},
    {"invalid_grant", AccessDenied, {}},
    {"permission denied", AccessDenied, {}},
    {"required flag(s)", BackendMisconfigured, {}},
    {"bucket does not exist", BackendMisconfigured, {}},
    {"authorization header is malformed", BackendMisconfigured, {}},  // S3: wrong region
    {"nosuchbucket", BackendMisconfigured, {}},
    {"containernotfound", BackendMisconfigured, {}},
    {"cannot access storage path", BackendMisconfigured, {}},
    {"knownhosts: key", BackendMisconfigured, {}},
    {"unable to parse private key", BackendMisconfigured, {}},
    {"passphrase protected", BackendMisconfigured, {}, "The SSH key is protected by a passphrase: put one without into the Secret."},
    {"ssh: no key found",
     BackendMisconfigured,
     {},
     "The SSH key is not a private key, or is truncated: it begins with -----BEGIN and ends with -----END."},
    {"error parsing private key", BackendMisconfigured, {}},
    {"invalid header field value",
     BackendMisconfigured,
     {},
     "A key in the backend's Secret holds a line break or another control character: write it without."},
    {"bucket name cannot", BackendMisconfigured, {}},
    {"propfind /: 404", BackendMisconfigured, {}, "The folder that the WebDAV URL names does not exist: make it on the server."},
    {"unable to parse url", BackendMisconfigured, {}},
    {"x509:", BackendMisconfigured, {}},
    {"http: server gave http response to https client", BackendMisconfigured, {}},
    {"rclone executable", BackendMisconfigured, {}},
    {"executable file not found", BackendMisconfigured, {}},
    {"connection refused", Unreachable, {}},
    {"connection reset", Unreachable, {}},
    {"connection closed by foreign host", Unreachable, {}},  // S3's client: the connection closed without an answer
    {"no such host", Unreachable, {}},
    {"network is unreachable", Unreachable, {}},
    {"no route to host", Unreachable, {}},
    {"i/o timeout", Unreachable, {}},
    {"deadline exceeded", Unreachable, {}},
    {"tls handshake timeout", Unreachable, {}},
    {"broken pipe", Unreachable, {}},
    {"unexpected eof", Unreachable, {}},
    {"server is offline", Unreachable, {}},
    {"503 service unavailable", Unreachable, {}},
    {"slowdown", Unreachable, {}},  // S3, and its message text
    {"reduce your request rate", Unreachable, {}},
    {"internal error, please try again", Unreachable, {}},
    {"can't connect to storage", Unreachable, {}},
    {"kopia: error:", BackendMisconfigured, activity::Connecting},  // a flag that kopia does not accept
    {"kopia: error:", BackendMisconfigured, activity::Creating},
};

/// Removes the last line from the text and returns it.
std::string_view take_last_line(std::string_view& text) {
  auto begin = text.find_last_of('\n');
  auto line = begin == std::string_view::npos ? text : text.substr(begin + 1);
  text = begin == std::string_view::npos ? std::string_view() : text.substr(0, begin);
  return line;
}

void hide_url_users(std::string& text) {
  for (auto index = text.find("://"); index != std::string::npos; index = text.find("://", index + 3)) {
    auto end = text.find_first_of(" /\"'", index + 3);
    auto sign = text.substr(index + 3, end - index - 3).rfind('@');
    if (sign != std::string::npos) text.replace(index + 3, sign, "***");
  }
}

std::string closed(std::string sentence) {
  if (!sentence.empty() && !std::string_view(".!?").contains(sentence.back())) sentence += '.';
  return sentence;
}

}  // namespace

proto::kopia_failure classify(std::string_view stderr_text, activity doing) {
  auto text = encoding::lower_case(stderr_text);
  for (auto const& row : rules)
    if ((!row.only_while || *row.only_while == doing) && text.find(row.fragment) != std::string::npos) return row.means;
  return Unknown;
}

std::string remedy(std::string_view stderr_text) {
  auto text = encoding::lower_case(stderr_text);
  for (auto const& row : rules)
    if (!row.remedy.empty() && text.find(row.fragment) != std::string::npos) return std::string(row.remedy);
  return {};
}

bool is_retryable(proto::kopia_failure what) {
  switch (what) {
    case Unreachable:
    case Locked:
    case DiskFull:
    case OutOfMemory:
    case Unknown:
      return true;
    case WrongPassword:
    case PasswordMissing:
    case NotInitialized:
    case LocationOccupied:
    case AccessDenied:
    case BackendMisconfigured:
    case WrongRepository:
    case SourceMissing:
    case SourceUnreadable:
    case TargetConflict:
    case PermissionDenied:
    case SnapshotMissing:
    case DataLost:
    case NotMaintenanceOwner:
    case OwnershipNotKept:
    case ClockSkew:
    case KopiaMissing:
    case KopiaUnsupported:
    case InvalidWork:
    case Cancelled:
      return false;
  }
  return false;
}

std::string_view advice(proto::kopia_failure what) {
  switch (what) {
    case WrongPassword:
      return "The repository is there but this password does not open it. Correct the Secret that encryption.passwordSecretRef names.";
    case PasswordMissing:
      return "Put a password into the Secret that encryption.passwordSecretRef names, under its key.";
    case NotInitialized:
      return "There is no repository at this location. Check the backend's bucket, path and prefix, or set create.enabled to make one.";
    case LocationOccupied:
      return "The location holds data that is not a repository we can open, so none is made over it. Choose an empty path or prefix.";
    case Unreachable:
      return "The backend cannot be reached. Check its address, network and name service; it is tried again.";
    case AccessDenied:
      return "The backend refuses these credentials. Check the keys of the backend's Secret and the rights they have.";
    case BackendMisconfigured:
      return "The backend's settings do not match the storage. Check bucket, path, URL, certificate and host key.";
    case WrongRepository:
      return "This is not the repository that was recorded, or a cache of another one was used. If it was replaced on purpose, delete and "
             "re-create "
             "the Repository object; else restore the old location.";
    case SourceMissing:
      return "The folder to back up does not exist inside the mover. Check sourcePath and that the volume is mounted.";
    case SourceUnreadable:
      return "Some files could not be read, so the snapshot lacks them. Run the mover as a user who may read them, ignore their paths, or "
             "set "
             "policy.ignore.fileErrors.";
    case TargetConflict:
      return "The target holds something of another kind where the snapshot has an entry. Remove it, or restore into an empty volume.";
    case PermissionDenied:
      return "The mover may not write the target as it must. Run it as the owner of the data, or allow ignorePermissionErrors.";
    case SnapshotMissing:
      return "The repository has no such snapshot. It was deleted, or belongs to another repository.";
    case DataLost:
      return "The repository lacks data that this needs. Stop maintenance, check the storage for lost objects, and restore an older "
             "snapshot.";
    case DiskFull:
      return "There is no space left. Free some on the named file system or enlarge it; maintenance frees space of a repository within "
             "days.";
    case NotMaintenanceOwner:
      return "Another owner runs this repository's maintenance. Let that owner run it, or set ownership.takeoverPolicy to Force.";
    case OwnershipNotKept:
      return "options.requireOwnership asks for them. Let the mover run as the owner (spec.mover.inheritSecurityContextFrom or "
             "securityContext), or as root (privilegedMode).";
    case ClockSkew:
      return "The clock of this machine and that of the storage differ too much. Synchronise them.";
    case Locked:
      return "Another maintenance of this host holds the lock; it is tried again.";
    case KopiaMissing:
      return "The kopia program was not found. The mover image must hold it on PATH, or KOPIUR_KOPIA must name it.";
    case KopiaUnsupported:
      return "This version of kopia was not tested with this mover. Use the one that the mover image brings.";
    case InvalidWork:
      return "The mover was given work that it cannot do as written.";
    case Cancelled:
      return "The run was told to stop.";
    case OutOfMemory:
      return "The mover ran out of memory. Raise mover.resources.limits.memory: kopia needs 256 MiB, more for very large folders.";
    case Unknown:
      return "kopiur does not know this failure; see the log of the run.";
  }
  return "";
}

proto::run_failure failure(proto::kopia_failure what, std::string sentence, std::string stderr_tail) {
  sentence = closed(std::move(sentence));
  if (what == Unknown && !stderr_tail.empty()) sentence += (sentence.empty() ? "" : " ") + closed("kopia's last output: " + stderr_tail);
  if (!sentence.empty()) sentence += ' ';
  return {what, sentence + std::string(advice(what)), std::move(stderr_tail), is_retryable(what)};
}

std::string last_line(std::string_view text) {
  while (!text.empty()) {
    auto line = take_last_line(text);
    auto first = line.find_first_not_of(" \t!");
    if (first != std::string_view::npos) return std::string(line.substr(first, line.find_last_not_of(" \t") - first + 1));
  }
  return {};
}

std::vector<std::string> last_lines(std::string_view text, std::size_t count, std::size_t length) {
  std::vector<std::string> lines;
  while (!text.empty() && lines.size() < count) {
    std::string line(take_last_line(text));
    if (line.find_first_not_of(" \t") == std::string::npos) continue;
    cut(line, length);
    lines.push_back(std::move(line));
  }
  std::ranges::reverse(lines);
  return lines;
}

void cut(std::string& text, std::size_t limit) {
  if (text.size() <= limit) return;
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xc0) == 0x80) --limit;  // never split a UTF-8 character
  text.resize(limit);
  text += "...";
}

std::string redacted(std::string text, std::span<std::string const> secrets) {
  text = encoding::masked(std::move(text), secrets);
  hide_url_users(text);
  return text;
}

}  // namespace kopiur::mover
