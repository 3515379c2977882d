#include "e2e/simulation/objects.hpp"

#include <algorithm>
#include <stdexcept>

namespace kopiur::simulation {

namespace {

json::value read(std::string const& text) {
  auto parsed = json::parse(text);
  if (!parsed) throw std::logic_error(parsed.error().text() + " in " + text);
  return std::move(*parsed);
}

json::value object(std::string const& kind, std::string const& ns, std::string const& name, std::string const& rest) {
  return read(R"({"apiVersion":"kopiur.home-operations.com/v1alpha1","kind":")" + kind + R"(","metadata":{"name":")" + name +
              R"(","namespace":")" + ns + R"("})" + (rest.empty() ? "" : "," + rest) + "}");
}

constexpr char const* hooks =
    R"(,"hooks":{"quiesceTimeoutSeconds":75,"beforeSnapshot":[{"httpRequest":{"url":"http://app/freeze","timeout":"20s"},"continueOnFailure":true},)"
    R"({"workloadExec":{"podSelector":{"matchLabels":{"app":"db"}},"command":["freeze"],"timeout":"25s"},"continueOnFailure":true}],)"
    R"("afterSnapshot":[{"runJob":{"jobSpec":{"template":{"spec":{"containers":[]}}},"timeout":"1m"}},)"
    R"({"httpRequest":{"url":"http://app/thaw","timeout":"20s"}}]})";

void add_tenant(std::vector<json::value>& all, std::string const& ns) {
  all.push_back(read(R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":")" + ns + R"("}})"));
  all.push_back(read(R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"password","namespace":")" + ns + R"("},"data":{}})"));
  all.push_back(object(
      "Repository", ns, "main",
      R"("spec":{"backend":{"filesystem":{"path":"/)" + ns +
          R"("}},"encryption":{"passwordSecretRef":{"name":"password"}},"create":{"enabled":true},"catalog":{"refreshInterval":"30m")" +
          std::string(ns == "ada" ? R"(,"retain":{"perIdentity":0})" : "") +
          R"(},)"
          R"("deletionProtection":{"threshold":8,"window":"30m"}})"));
  for (std::string name : {"one", "two", "spare"}) all.push_back(claim(ns, name, name == "spare" ? "no" : "yes"));
  all.push_back(
      object("BackupConfig", ns, "all",
             std::string() +
                 R"("spec":{"repository":{"name":"main"},"sources":[{"pvcSelector":{"labelSelector":{"matchLabels":{"backup":"yes"}}}}],)"
                 R"("retention":{"keepLatest":3,"keepHourly":3})" +
                 std::string(ns == "bob" ? "" : R"(,"copyMethod":"Snapshot","groupBy":"VolumeGroupSnapshot")") + hooks + "}"));
  all.push_back(schedule_of(ns, "often", "all", R"("cron":"H/30 * * * *","jitter":"2m")"));
  all.push_back(object("Maintenance", ns, "main",
                       R"("spec":{"repository":{"name":"main"},"schedule":{"quick":{"cron":"5 * * * *"},"full":{"cron":"5 */2 * * *"}}})"));
}

}  // namespace

std::vector<json::value> first_objects() {
  std::vector<json::value> all;
  add_tenant(all, "ada");
  add_tenant(all, "bob");
  return all;
}

std::vector<json::value> objects_of(std::string const& ns) {
  std::vector<json::value> all;
  add_tenant(all, ns);
  return all;
}

json::value claim(std::string const& ns, std::string const& name, std::string const& backup) {
  return read(R"({"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":")" + name + R"(","namespace":")" + ns +
              R"(","labels":{"backup":")" + backup + R"("}},"spec":{}})");
}

json::value config_of_claims(std::string const& ns, std::string const& name, std::vector<std::string> const& claims, bool hooked) {
  std::string sources;
  for (auto& each : claims) sources += (sources.empty() ? "" : ",") + (R"({"pvc":{"name":")" + each + R"("}})");
  return object(
      "BackupConfig", ns, name,
      R"("spec":{"repository":{"name":"main"},"sources":[)" + sources + R"(],"retention":{"keepLatest":3})" + (hooked ? hooks : "") + "}");
}

json::value schedule_of(std::string const& ns, std::string const& name, std::string const& config, std::string const& rules) {
  return object("BackupSchedule", ns, name, R"("spec":{"configRef":{"name":")" + config + R"("},"schedule":{)" + rules + "}}");
}

json::value const* condition_of(json::value const& object, std::string_view type) {
  auto* all = object.at("status.conditions");
  if (!all || !all->as_array()) return nullptr;
  auto found = std::ranges::find_if(*all->as_array(), [&](auto& each) { return each.text("type") == type; });
  return found == all->as_array()->end() ? nullptr : &*found;
}

bool is_over(json::value const& backup) {
  auto phase = backup.text("status.phase");
  return phase == "Succeeded" || phase == "Failed" || phase == "Held";
}

bool is_dry(json::value const& restore) {
  auto* dry = restore.at("spec.dryRun");
  return dry && dry->as_bool() && *dry->as_bool();
}

bool is_planned(json::value const& restore) {
  auto* ready = condition_of(restore, "Ready");
  return ready && ready->text("reason") == "Planned";
}

json::value manual_backup(std::string const& ns, std::string const& name, std::string const& config, std::string const& source) {
  auto path = source.empty() ? std::string() : R"(,"sourcePath":")" + source + R"(")";
  return object("Backup", ns, name, R"("spec":{"configRef":{"name":")" + config + R"("})" + path + "}");
}

json::value new_restore(std::string const& ns, std::string const& name, std::string const& config, std::string const& source,
                        std::string const& claim, bool existing, bool or_empty) {
  auto target = existing ? R"({"pvcRef":{"name":")" + claim + R"("}})" : R"({"pvc":{"name":")" + claim + R"("}})";
  return object("Restore", ns, name,
                R"("spec":{"source":{"fromConfig":{"name":")" + config + R"(","sourcePath":")" + source + R"("}},"target":)" + target +
                    (or_empty ? R"(,"policy":{"onMissingSnapshot":"Continue"}})" : "}"));
}

}  // namespace kopiur::simulation
