#include "e2e/simulation/buckety/bucket_story.hpp"

/// What stories about Buckety must have shown.
namespace kopiur::simulation {

namespace {

constexpr char const* must_come[] = {"user: Buckety",
                                     "user: rivals for a name",
                                     "edit: delete Buckety",
                                     "edit: Buckety made again",
                                     "edit: Buckety",
                                     "edit: label of a Buckety",
                                     "user: access",
                                     "edit: delete access",
                                     "edit: delete namespace",
                                     "user: Secret under a wanted name",
                                     "user: deletes a minted Secret",
                                     "user: edits a minted Secret",
                                     "user: takes a minted Secret",
                                     "outsider: bucket",
                                     "outsider: deletes a bucket",
                                     "outsider: content",
                                     "outsider: settings",
                                     "operator: other keys",
                                     "bucket: create",
                                     "bucket: align",
                                     "bucket: empty",
                                     "bucket: remove",
                                     "gone: Buckety",
                                     "checked: removal of a bucket",
                                     "checked: removal of an access",
                                     "checked: name of a bucket",
                                     "checked: Secret of a user",
                                     "at the end: EnsuredOnBackend",
                                     "at the end: SecretMinted",
                                     "at the end: SecretConflict",
                                     "at the end: BackendResourceExists",
                                     "at the end: BucketyNotFound",
                                     "at the end: WaitingForBuckety",
                                     "at the end: deleted DeletionBlocked",
                                     "order: create-object",
                                     "order: patch-metadata",
                                     "order: delete-object",
                                     "order: read-object",
                                     "order: mint-secret",
                                     "order: drop-secret",
                                     "order: record-event",
                                     "fault: crash",
                                     "fault: crash_before",
                                     "fault: crash_after",
                                     "fault: stall",
                                     "fault: leader gap",
                                     "fault: cut off",
                                     "fault: API away",
                                     "fault: stale watches",
                                     "fault: store away",
                                     "fault: store fails",
                                     "fault: store unsure",
                                     "fault: lost_before",
                                     "fault: lost_after",
                                     "fault: late",
                                     "fault: twice"};

}  // namespace

std::vector<std::string> bucket_shortfalls(tally const& told) {
  std::vector<std::string> missing;
  for (auto* what : must_come)
    if (told.of(what) == 0) missing.push_back(std::string(what) + " never came, so nothing was shown about it.");
  return missing;
}

}  // namespace kopiur::simulation
