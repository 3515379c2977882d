#include "proto/subjects.hpp"

#include <algorithm>
#include <initializer_list>

namespace kopiur::proto::subjects {

namespace {
std::string join(std::string_view head, std::initializer_list<std::string> tokens) {
  std::string subject = "kopiur.v1." + std::string(head);
  for (auto& each : tokens) subject += "." + each;
  return subject;
}
}  // namespace

std::string token(std::string_view name) {
  std::string out(name);
  std::ranges::replace(out, '.', '_');
  return out;
}
std::string name(std::string_view token) {
  std::string out(token);
  std::ranges::replace(out, '_', '.');
  return out;
}
std::string namespace_token(std::string_view ns) { return ns.empty() ? "-" : token(ns); }
std::string_view part(std::string_view subject, std::size_t n) {
  for (; n > 0; --n) {
    auto dot = subject.find('.');
    if (dot == subject.npos) return {};
    subject.remove_prefix(dot + 1);
  }
  return subject.substr(0, subject.find('.'));
}

std::string request(std::string_view cluster, std::string_view ns, std::string_view verb) {
  return join("req", {token(cluster), namespace_token(ns), token(verb)});
}
std::string request_ack(std::string_view cluster, std::string_view ns, std::string_view id) {
  return join("ack", {token(cluster), namespace_token(ns), token(id)});
}
std::string resource(std::string_view cluster, std::string_view kind, std::string_view ns, std::string_view name) {
  return join("resource", {token(cluster), token(kind), namespace_token(ns), token(name)});
}
std::string resources_listed(std::string_view cluster) { return join("resource", {token(cluster), "-", "-", "listed"}); }
std::string kind_state(std::string_view cluster, std::string_view kind) { return resource(cluster, kind, "", "-"); }
std::string run(std::string_view cluster, std::string_view run) { return join("run", {token(cluster), token(run)}); }
std::string repository(std::string_view cluster, std::string_view uid) { return join("repository", {token(cluster), token(uid)}); }
std::string list_page(std::string_view cluster, std::string_view uid, int half, std::int64_t page) {
  return join("list", {token(cluster), token(uid), std::to_string(half), std::to_string(page)});
}
std::string schedule(std::string_view cluster, std::string_view uid) { return join("schedule", {token(cluster), token(uid)}); }
std::string watch(std::string_view cluster) { return join("watch", {token(cluster)}); }
std::string claim(std::string_view digest) { return join("claim", {token(digest)}); }
std::string lease(std::string_view key) { return join("lease", {token(key)}); }
std::string lease_waiter(std::string_view key, std::string_view cluster, std::string_view run) {
  return join("lease-waiter", {token(key), token(cluster), token(run)});
}
std::string lease_request(std::string_view verb, std::string_view key, std::string_view run) {
  return join("lease-req", {token(verb), token(key), token(run)});
}
std::string command(std::string_view cluster, std::string_view service, std::string_view verb, std::string_view key) {
  return join("cmd", {token(cluster), token(service), token(verb), token(key)});
}
std::string answer(std::string_view cluster, std::string_view service, std::string_view verb, std::string_view key) {
  return join("answer", {token(cluster), token(service), token(verb), token(key)});
}
std::string status_fragment(std::string_view cluster, std::string_view kind, std::string_view ns, std::string_view name,
                            std::string_view service) {
  return join("status", {token(cluster), token(kind), namespace_token(ns), token(name), token(service)});
}
std::string live(std::string_view cluster, std::string_view run) { return join("live", {token(cluster), token(run)}); }

}  // namespace kopiur::proto::subjects
