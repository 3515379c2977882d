#pragma once
#include <cstdint>
#include <string>
#include <string_view>

/// All streams and subjects. A subject consists of tokens: `.` in a Kubernetes name is written as `_` (which such names never contain), and
/// the namespace of a cluster-scoped object as `-`. decisions.md section 2.
namespace kopiur::proto::subjects {

/// Encodes a name as one token.
std::string token(std::string_view name);
/// The inverse of token().
std::string name(std::string_view token);
/// The namespace token: `-` for cluster-scoped objects.
std::string namespace_token(std::string_view ns);
/// The n-th token of a subject, from 0; empty when there are fewer.
std::string_view part(std::string_view subject, std::size_t n);

// Streams.
inline constexpr std::string_view requests = "requests", resources = "resources", runs = "runs", states = "states", commands = "commands",
                                  status = "status", dead_letters = "dead-letters", answers = "answers", lists = "lists";

/// `kopiur.v1.req.<cluster>.<ns>.<verb>`: requests from outside kopiur.
std::string request(std::string_view cluster, std::string_view ns, std::string_view verb);
/// `kopiur.v1.ack.<cluster>.<ns>.<id>`: the answer to a request (core NATS).
std::string request_ack(std::string_view cluster, std::string_view ns, std::string_view id);
/// `kopiur.v1.resource.<cluster>.<kind>.<ns>.<name>`: the gateway's mirror of one object.
std::string resource(std::string_view cluster, std::string_view kind, std::string_view ns, std::string_view name);
/// `kopiur.v1.resource.<cluster>.-.-.listed`: the initial list is complete: every object of the cluster is mirrored (body: since when).
std::string resources_listed(std::string_view cluster);
/// `kopiur.v1.resource.<cluster>.<kind>.-.-`: the state of a foreign kind (proto/events/kind_state.hpp); no object is called `-`.
std::string kind_state(std::string_view cluster, std::string_view kind);
/// `kopiur.v1.run.<cluster>.<run>`: facts and state of one run.
std::string run(std::string_view cluster, std::string_view run);
/// `kopiur.v1.repository.<cluster>.<uid>`: catalog-discovery's state of a repository object: the head of its newest list.
std::string repository(std::string_view cluster, std::string_view uid);
/// `kopiur.v1.list.<cluster>.<uid>.<half>.<page>`: a page of that list (proto/events/snapshot_list.hpp).
std::string list_page(std::string_view cluster, std::string_view uid, int half, std::int64_t page);
/// `kopiur.v1.schedule.<cluster>.<uid>`: the scheduler's state of a BackupSchedule, Maintenance or repository.
std::string schedule(std::string_view cluster, std::string_view uid);
/// `kopiur.v1.watch.<cluster>`: when the cluster was seen to answer (proto/events/watch.hpp).
std::string watch(std::string_view cluster);
/// `kopiur.v1.claim.<digest>`: whose a name on a store is (proto/buckety/claim.hpp); spans clusters.
std::string claim(std::string_view digest);
/// `kopiur.v1.lease.<key>`: holders of one key; spans clusters.
std::string lease(std::string_view key);
/// `kopiur.v1.lease-waiter.<key>.<cluster>.<run>`: a run that waits for the key.
std::string lease_waiter(std::string_view key, std::string_view cluster, std::string_view run);
/// `kopiur.v1.lease-req.<verb>.<key>.<run>`: acquire, renew, release.
std::string lease_request(std::string_view verb, std::string_view key, std::string_view run);
/// `kopiur.v1.cmd.<cluster>.<service>.<verb>.<key>`: a command to a service.
std::string command(std::string_view cluster, std::string_view service, std::string_view verb, std::string_view key);
/// The `<service>` of hooks. Hooks are sent to `gateway` like every command; the gateway moves them to this queue, where hooks wait only
/// for hooks.
inline constexpr std::string_view gateway_hooks = "gateway-hooks";
/// `kopiur.v1.answer.<cluster>.<service>.<verb>.<key>`: the result of a command.
std::string answer(std::string_view cluster, std::string_view service, std::string_view verb, std::string_view key);
/// `kopiur.v1.status.<cluster>.<kind>.<ns>.<name>.<service>`: a service's fragment of an object's status.
std::string status_fragment(std::string_view cluster, std::string_view kind, std::string_view ns, std::string_view name,
                            std::string_view service);
/// `kopiur.v1.live.<cluster>.<run>`: progress and log lines (core NATS).
std::string live(std::string_view cluster, std::string_view run);

}  // namespace kopiur::proto::subjects
