#include "proto/kopiur/repository.hpp"

#include "proto/kopiur/longest.hpp"
#include "proto/schema/notes.hpp"

/// Schema notes for repository.hpp.
namespace kopiur::proto {

schema::type_notes notes_of(std::type_identity<repository_encryption>) {
  return {.text = "How the repository is encrypted.",
          .fields = {{"passwordSecretRef", "Secret that holds the repository's password."}},
          .refused = {{"password", "A password never stands in a manifest: put it into a Secret, and name that in passwordSecretRef."}}};
}
schema::type_notes notes_of(std::type_identity<catalog_retain>) {
  return {.text = "Which snapshots get a discovered Backup.",
          .fields = {{"perIdentity", "Number of newest snapshots of each identity; 0: none. Default: no limit.", schema::at_least_0},
                     {"maxAgeDays", "Maximum age of the snapshots, in days. Default: no limit.", {.min = 1, .max = longest::age_in_days}}}};
}
schema::type_notes notes_of(std::type_identity<catalog_options>) {
  return {
      .text = "Which snapshots get a Backup object. These options never delete a snapshot.",
      .fields = {{"retain", "Limits the discovered Backups. Default: every snapshot gets one."},
                 {"refreshInterval", "How often kopiur lists the repository; less than 30s counts as 30s. Some events also cause a list.",
                  schema::up_to(longest::wait)},
                 {"fallbackNamespace",
                  "ClusterRepository only: namespace of discovered Backups whose identity belongs to no allowed namespace. Default: such "
                  "snapshots get no Backup.",
                  schema::namespace_name}}};
}
schema::type_notes notes_of(std::type_identity<deletion_protection>) {
  return {.text = "Holds back a burst of Backup deletions. Deletions by kopiur's retention do not count.",
          .fields = {{"threshold",
                      "If there are more deletions than this within the window, they wait until an annotation on the repository allows "
                      "them. 0: protection is off.",
                      schema::at_least_0},
                     {"window", "Length of the sliding window in which deletions are counted.", schema::up_to(longest::wait)}}};
}
schema::type_notes notes_of(std::type_identity<repository_spec>) {
  return {
      .text = "Where the repository is stored, how it is opened, and what its catalog shows.",
      .fields = {{"backend", "Where the repository is stored: exactly one kind of storage."},
                 {"encryption", "How the repository is encrypted."},
                 {"create", "What to do if the location is empty."},
                 {"cacheDefaults",
                  "Kopia's cache in every mover of this repository. The mover.cache of a BackupConfig or Restore overrides it, option by "
                  "option."},
                 {"catalog", "Which snapshots get a Backup object."},
                 {"suspend", "Start nothing for this repository. `kopiur suspend` has the same effect without changing this field."},
                 {"deletionProtection", "Holds back bursts of Backup deletions."},
                 {"onNamespaceDelete",
                  "What happens to snapshots when the namespace of their Backups is deleted: Retain, or (ClusterRepository only) Delete."}},
      .refused = {
          {"retention",
           "A repository has no retention of its own: it would delete behind the Backup objects. Write it into a BackupConfig."},
          {"password", "A password never stands in a manifest: put it into a Secret, and name that in encryption.passwordSecretRef."}}};
}
schema::type_notes notes_of(std::type_identity<namespaces_listed>) {
  return {.text = "These namespaces, by name.", .fields = {{"names", "Names of namespaces.", {}, schema::namespace_name, 1, 1000}}};
}
schema::type_notes notes_of(std::type_identity<namespaces_selected>) {
  return {.text = "Namespaces whose labels match; an empty selector matches every namespace.",
          .fields = {{"labels", "Labels of the namespaces."}}};
}
schema::type_notes notes_of(std::type_identity<namespaces_all>) {
  return {.text = "Every namespace.",
          .fields = {{"yes", "Must be true."}},
          .rules = {{.cel = "self",
                     .message = "`all: false` would allow nobody.",
                     .hint = "Write `all: true`, or use list or selector.",
                     .holds = [](json::value const& self) { return self.as_bool() && *self.as_bool(); }}}};
}
schema::type_notes notes_of(std::type_identity<identity_templates>) {
  constexpr schema::limits over_two_variables{
      .min_length = 1,
      .max_length = 253,
      .pattern =
          R"(^([^-{}@: ]|\{\{ *(namespace|configName|\.Namespace|\.ConfigName) *\}\})([^{}@: ]|\{\{ *(namespace|configName|\.Namespace|\.ConfigName) *\}\})*$)",
      .pattern_says = "a template that knows `{{ namespace }}` and `{{ configName }}` only, as in `{{ namespace }}.cluster-a`"};
  return {.text = "Templates of the identities in this repository.",
          .fields = {{"hostnameTemplate", "Template of the host; may use {{ namespace }} and {{ configName }}. Default: {{ namespace }}.",
                      over_two_variables},
                     {"usernameTemplate", "Template of the user; may use {{ namespace }} and {{ configName }}. Default: {{ configName }}.",
                      over_two_variables}}};
}
schema::type_notes notes_of(std::type_identity<cluster_repository_spec>) {
  return {.text = "A shared repository: where it is stored, and which namespaces may use it.",
          .fields = {{"allowedNamespaces", "Which namespaces may use this repository: exactly one of list, selector, all."},
                     {"allowForeignIdentities",
                      "Allows BackupConfigs and Restores to use identities that the templates do not produce for their namespace."},
                     {"identityDefaults", "Templates of the identities of BackupConfigs that use this repository."}}};
}
schema::type_notes notes_of(std::type_identity<storage_stats>) {
  return {.text = "Statistics of the repository.",
          .fields = {{"snapshotCount", "Number of complete snapshots."},
                     {"totalSize", "Total size of the newest snapshot of each source, in bytes."},
                     {"lastObservedAt", "When these numbers last changed."}}};
}
schema::type_notes notes_of(std::type_identity<catalog_status>) {
  return {.text = "State of the catalog.",
          .fields = {{"discoveredBackupCount", "Number of Backups with origin discovered."},
                     {"lastRefreshAt", "When a list of the repository last showed a change."}}};
}
schema::type_notes notes_of(std::type_identity<repository_status>) {
  return {
      .text = "State of the repository.",
      .fields = {
          {"observedGeneration", "The metadata.generation that this status describes."},
          {"phase", "Pending, Initializing, Ready, Degraded or Failed."},
          {"backend", "Kind of storage, for example S3."},
          {"uniqueID", "Kopia's own id of the repository."},
          {"storageStats", "Statistics of the repository."},
          {"catalog", "State of the catalog."},
          {"allowedNamespaceCount", "ClusterRepository only: number of namespaces that may use it now."},
          {"logTail",
           "The last 4 KiB of output of the mover that failed, including kopia's messages. Set only while the phase is Failed or Degraded.",
           {.max_length = 8192}},
          {"conditions",
           "Ready, Connected, MaintenanceOwned, and TenancyEnforced on a ClusterRepository. PasswordFit and SpecFit appear only once they "
           "were False.",
           {},
           {},
           {},
           {},
           "type"}}};
}

namespace {

/// CEL: `self.spec.create.hash`, or '' if it is absent.
std::string given(std::string_view whose, std::string_view parent, std::string_view leaf, std::string_view none) {
  std::string path = std::string(whose) + ".spec.create", guards = "has(" + path + ")";
  if (!parent.empty()) path += "." + std::string(parent), guards += " && has(" + path + ")";
  path += "." + std::string(leaf);
  return "(" + guards + " && has(" + path + ") ? " + path + " : " + std::string(none) + ")";
}

/// Rule for one algorithm: immutable once the repository exists.
template <bool (*Same)(json::value const&, json::value const&)>
schema::rule fixed(std::string_view field, std::string_view parent, std::string_view leaf, std::string_view none) {
  return {.cel = "!has(oldSelf.status) || !has(oldSelf.status.uniqueID) || " + given("self", parent, leaf, none) +
                 " == " + given("oldSelf", parent, leaf, none),
          .message = "The repository exists, and its algorithms cannot change any more.",
          .hint = "Put the old value back; for other algorithms make another repository.",
          .field = field,
          .holds_after = [](json::value const& self, json::value const& old) {
            return !schema::has(old, "status.uniqueID") || Same(self, old);
          }};
}
bool same_encryption(json::value const& a, json::value const& b) {
  return a.text("spec.create.encryption") == b.text("spec.create.encryption");
}
bool same_hash(json::value const& a, json::value const& b) { return a.text("spec.create.hash") == b.text("spec.create.hash"); }
bool same_splitter(json::value const& a, json::value const& b) { return a.text("spec.create.splitter") == b.text("spec.create.splitter"); }
bool same_ecc(json::value const& a, json::value const& b) {
  return a.text("spec.create.ecc.algorithm") == b.text("spec.create.ecc.algorithm");
}
bool same_overhead(json::value const& a, json::value const& b) {
  return schema::number(a, "spec.create.ecc.overheadPercent", -1) == schema::number(b, "spec.create.ecc.overheadPercent", -1);
}

void add_fixed(std::vector<schema::rule>& rules) {
  rules.push_back(fixed<same_encryption>("spec.create.encryption", "", "encryption", "''"));
  rules.push_back(fixed<same_hash>("spec.create.hash", "", "hash", "''"));
  rules.push_back(fixed<same_splitter>("spec.create.splitter", "", "splitter", "''"));
  rules.push_back(fixed<same_ecc>("spec.create.ecc.algorithm", "ecc", "algorithm", "''"));
  rules.push_back(fixed<same_overhead>("spec.create.ecc.overheadPercent", "ecc", "overheadPercent", "-1"));
}

/// All paths below spec that name a Secret of the backend.
constexpr std::string_view backend_secrets[] = {"s3.auth.secretRef",     "azure.auth.secretRef", "gcs.auth.secretRef",
                                                "b2.auth.secretRef",     "sftp.auth.secretRef",  "webDav.auth.secretRef",
                                                "rclone.configSecretRef"};

/// CEL over all of them: either each given reference has a namespace, or none has.
std::string secrets_in_cel(bool with_namespace) {
  std::string all;
  for (auto each : backend_secrets) {
    std::string path = "self.spec.backend", guards;
    std::string_view rest = each;
    while (!rest.empty()) {
      auto dot = rest.find('.');
      path += "." + std::string(rest.substr(0, dot));
      guards += (guards.empty() ? "" : " && ") + ("has(" + path + ")");
      rest = dot == rest.npos ? std::string_view{} : rest.substr(dot + 1);
    }
    all += (all.empty() ? "(!(" : " && (!(") + guards + ") || " + (with_namespace ? "" : "!") + "has(" + path + ".__namespace__))";
  }
  return all;
}
bool secrets_agree(json::value const& self, bool with_namespace) {
  for (auto each : backend_secrets) {
    auto path = "spec.backend." + std::string(each);
    if (schema::has(self, path) && schema::has(self, path + ".namespace") != with_namespace) return false;
  }
  return true;
}

/// Rule for the reference to a Buckety: with its namespace, or without.
template <bool WithNamespace>
schema::rule buckety_of(std::string_view message, std::string_view hint) {
  constexpr std::string_view path = "self.spec.backend.s3.bucketyRef";
  auto cel = std::string(path);
  return {.cel = "!has(self.spec.backend.s3) || !has(" + cel + ") || " + (WithNamespace ? "" : "!") + "has(" + cel + ".__namespace__)",
          .message = message,
          .hint = hint,
          .field = "spec.backend.s3.bucketyRef",
          .holds = [](json::value const& self) {
            return !schema::has(self, "spec.backend.s3.bucketyRef") ||
                   schema::has(self, "spec.backend.s3.bucketyRef.namespace") == WithNamespace;
          }};
}

}  // namespace

schema::type_notes notes_of(std::type_identity<repository>) {
  using schema::has;
  schema::type_notes out{.text = "Repository is a kopia repository that one namespace owns."};
  out.rules = {{.cel = "!has(self.spec.encryption.passwordSecretRef.__namespace__)",
                .message = "A Repository reads Secrets of its own namespace only.",
                .hint = "Remove namespace and put the Secret beside the Repository, or use a ClusterRepository.",
                .field = "spec.encryption.passwordSecretRef.namespace",
                .holds = [](json::value const& self) { return !has(self, "spec.encryption.passwordSecretRef.namespace"); }},
               {.cel = secrets_in_cel(false),
                .message = "A Repository reads Secrets of its own namespace only.",
                .hint = "Remove namespace from the Secret reference and put the Secret beside the Repository, or use a ClusterRepository.",
                .field = "spec.backend",
                .holds = [](json::value const& self) { return secrets_agree(self, false); }},
               buckety_of<false>("A Repository uses a Buckety of its own namespace only.",
                                 "Remove namespace and make the Buckety beside the Repository, or use a ClusterRepository."),
               {.cel = "!has(self.spec.catalog) || !has(self.spec.catalog.fallbackNamespace)",
                .message = "Discovered Backups of a Repository live in its own namespace.",
                .hint = "Remove fallbackNamespace; only a ClusterRepository has it.",
                .field = "spec.catalog.fallbackNamespace",
                .holds = [](json::value const& self) { return !has(self, "spec.catalog.fallbackNamespace"); }},
               {.cel = "!has(self.spec.onNamespaceDelete) || self.spec.onNamespaceDelete == 'Retain'",
                .message = "The Secret of a Repository goes with its namespace, so nothing could delete the snapshots then.",
                .hint = "Write Retain, or use a ClusterRepository.",
                .field = "spec.onNamespaceDelete",
                .holds = [](json::value const& self) { return self.text("spec.onNamespaceDelete") != "Delete"; }}};
  add_fixed(out.rules);
  return out;
}
schema::type_notes notes_of(std::type_identity<cluster_repository>) {
  using schema::has;
  schema::type_notes out{.text = "ClusterRepository is a kopia repository that several namespaces share; it says which ones may use it."};
  out.rules = {{.cel = "has(self.spec.encryption.passwordSecretRef.__namespace__)",
                .message = "A ClusterRepository has no namespace of its own, so its Secrets are named with theirs.",
                .hint = "Add namespace beside name.",
                .field = "spec.encryption.passwordSecretRef",
                .holds = [](json::value const& self) { return has(self, "spec.encryption.passwordSecretRef.namespace"); }},
               {.cel = secrets_in_cel(true),
                .message = "A ClusterRepository has no namespace of its own, so its Secrets are named with theirs.",
                .hint = "Add namespace to the Secret reference of the backend.",
                .field = "spec.backend",
                .holds = [](json::value const& self) { return secrets_agree(self, true); }},
               buckety_of<true>("A ClusterRepository has no namespace of its own, so its Buckety is named with its own.",
                                "Add namespace beside name.")};
  add_fixed(out.rules);
  return out;
}

}  // namespace kopiur::proto
