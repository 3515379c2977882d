#include "services/controller/core/objects.hpp"

#include <algorithm>

#include "proto/codec.hpp"
#include "services/controller/core/reference.hpp"

namespace kopiur::controller {

using namespace proto;

namespace {

template <class T>
std::expected<void, json::problem> put(table<T>& in, name_key const& key, std::string const* body, shared_decoder* by) {
  if (!body) return in.erase(key), std::expected<void, json::problem>{};
  auto read = controller::read<T>(*body, by);
  if (!read) {
    in.erase(key);
    return std::unexpected(read.error());
  }
  in.insert_or_assign(key, std::move(*read));
  return {};
}

std::optional<name_key> config_of(backup const& one) {
  if (!one.spec.config_ref) return {};
  return name_key{one.metadata.namespace_, one.spec.config_ref->name};
}

void note(objects& all, name_key const& key, backup const& one) {
  if (auto config = config_of(one)) (*all.backups_by_config)[*config].insert(key.name);
}

void forget(objects& all, name_key const& key, backup const& one) {
  auto config = config_of(one);
  auto noted = config ? all.backups_by_config->find(*config) : all.backups_by_config->end();
  if (noted == all.backups_by_config->end()) return;
  noted->second.erase(key.name);
  if (noted->second.empty()) all.backups_by_config->erase(noted);
}

std::expected<void, json::problem> put_backup(objects& all, name_key const& key, std::string const* body, shared_decoder* by) {
  if (!all.backups_by_config) {
    all.backups_by_config.emplace();
    for (auto const& [name, one] : all.backups) note(all, name, one);
  }
  auto before = all.backups.find(key);
  if (before != all.backups.end()) forget(all, key, before->second);
  auto done = put(all.backups, key, body, by);
  auto now = all.backups.find(key);
  if (now != all.backups.end()) note(all, key, now->second);
  return done;
}

std::expected<void, json::problem> put_secret(objects& all, name_key const& key, std::string const* body) {
  if (!body) return all.secrets.erase(key), std::expected<void, json::problem>{};
  auto read = json::parse(*body);
  if (!read) return std::unexpected(read.error());
  all.secrets.insert_or_assign(
      key, secret_metadata{std::string(read->text("metadata.uid")), std::string(read->text("metadata.resourceVersion"))});
  return {};
}

/// What `f` makes of the table of this kind, among those that hold objects whole; `otherwise` where there is none.
template <class Objects, class F, class Result>
Result in_table(Objects& all, std::string_view kind, F&& f, Result otherwise) {
  auto try_one = [&](auto& table) {
    using object = typename std::remove_cvref_t<decltype(table)>::mapped_type;
    if (kind != object::info.kind) return false;
    otherwise = f(table);
    return true;
  };
  auto try_each = [&](auto&... tables) { (void)(try_one(tables) || ...); };
  try_each(all.repositories, all.cluster_repositories, all.configs, all.backups, all.schedules, all.restores, all.maintenances, all.claims,
           all.volumes, all.storage_classes, all.namespaces);
  return otherwise;
}

std::expected<void, json::problem> put_any(objects& all, std::string_view kind, name_key const& key, std::string const* body,
                                           shared_decoder* by) {
  if (kind == backup::info.kind) return put_backup(all, key, body, by);
  if (kind == secret::info.kind) return put_secret(all, key, body);
  if (kind == job::kind) return put(all.jobs, key, body, by);
  // A kind that no service reads (Event, ConfigMap) comes to nothing.
  return in_table(all, kind, [&](auto& table) { return put(table, key, body, by); }, std::expected<void, json::problem>{});
}

bool is_stub(std::string const* body) {
  static std::string const beginning = "{\"" + std::string(too_large) + "\":";
  return body && body->starts_with(beginning);
}

template <class T>
object_meta const* meta_in(table<T> const& in, name_key const& key) {
  auto found = in.find(key);
  return found == in.end() ? nullptr : &found->second.metadata;
}

}  // namespace

std::expected<object_ref, json::problem> apply(objects& all, std::string_view subject, std::string const* body, shared_decoder* by) {
  auto ref = reference(subject);
  auto& kind = ref.kind;
  name_key key{ref.namespace_, ref.name};
  if (kind == "-") {
    all.listed = key.name == "listed" && body;
    return ref;
  }
  if (is_stub(body) && kind != backup::info.kind) {  // of a Backup the stub has all that matters
    (void)put_any(all, kind, key, nullptr, by);
    return std::unexpected(json::problem{kind + " " + key.namespace_ + "/" + key.name, "it is too large for the bus"});
  }
  if (auto done = put_any(all, kind, key, body, by); !done)
    return std::unexpected(json::problem{kind + " " + key.namespace_ + "/" + key.name, done.error().text()});
  if (auto* meta = find_meta(all, kind, key)) ref.uid = meta->uid;
  return ref;
}

void lighten(objects& all, object_ref const& object) {
  if (object.kind != backup::info.kind) return;
  auto found = all.backups.find({object.namespace_, object.name});
  if (found == all.backups.end()) return;
  auto& status = found->second.status;
  status.conditions = {}, status.progress.reset(), status.log_tail.reset();
}

object_meta const* find_meta(objects const& all, std::string_view kind, name_key const& key) {
  return in_table(all, kind, [&](auto& table) { return meta_in(table, key); }, static_cast<object_meta const*>(nullptr));
}

bool matches(label_selector const& selector, std::map<std::string, std::string> const& labels) {
  auto equal = [&](auto& want) {
    auto found = labels.find(want.first);
    return found != labels.end() && found->second == want.second;
  };
  auto holds = [&](selector_requirement const& rule) {
    auto found = labels.find(rule.key);
    bool there = found != labels.end();
    bool among = there && std::ranges::find(rule.values, found->second) != rule.values.end();
    switch (rule.operator_) {
      case selector_operator::In:
        return among;
      case selector_operator::NotIn:
        return !among;
      case selector_operator::Exists:
        return there;
      case selector_operator::DoesNotExist:
        return !there;
    }
    __builtin_unreachable();
  };
  return std::ranges::all_of(selector.match_labels, equal) && std::ranges::all_of(selector.match_expressions, holds);
}

std::string_view lookup(std::map<std::string, std::string> const& in, std::string_view key) {
  for (auto& [name, text] : in)  // a handful: quicker than making a key of the view
    if (name == key) return text;
  return {};
}

}  // namespace kopiur::controller
