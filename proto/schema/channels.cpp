#include "proto/schema/node.hpp"
#include "proto/subjects.hpp"

/// The only list of subjects with their messages; proto/subjects.hpp builds the subjects.
namespace kopiur::proto::schema {

std::vector<channel> const& channels() {
  static std::vector<channel> const all{
      {"request",
       "kopiur.v1.req.{cluster}.{namespace}.{verb}",
       subjects::requests,
       "The door for outsiders (verbs backup, restore, maintenance, cancel): the PubAck says that it is durably accepted.",
       {"backup_request", "restore_request", "maintenance_request", "cancel_request"}},
      {"ack", "kopiur.v1.ack.{cluster}.{namespace}.{id}", "", "What became of a request, within a second.", {"request_answer"}},
      {"resource",
       "kopiur.v1.resource.{cluster}.{kind}.{namespace}.{name}",
       subjects::resources,
       "The gateway's mirror of one object: for the seven kinds the object itself (its JSON Schema is named like the kind), for Jobs this "
       "body. "
       "A delete is a tombstone; a Secret is mirrored by name, uid and resourceVersion only.",
       {"job"}},
      {"run",
       "kopiur.v1.run.{cluster}.{run}",
       subjects::runs,
       "Facts of one run, each with the state after it; written by compare-and-set.",
       {"run_fact"}},
      {"lease", "kopiur.v1.lease.{key}", subjects::states, "Holders and waiters of one key, over all clusters.", {"lease_state"}},
      {"repository",
       "kopiur.v1.repository.{cluster}.{uid}",
       subjects::states,
       "The head of a repository's newest complete list of snapshots, written after its pages.",
       {"snapshot_list"}},
      {"watch",
       "kopiur.v1.watch.{cluster}",
       subjects::states,
       "When the cluster was seen to answer: the time that counts for a Backup that waits for something that does not exist.",
       {"watch_log"}},
      {"list",
       "kopiur.v1.list.{cluster}.{uid}.{half}.{page}",
       subjects::lists,
       "A page of that list: which snapshots exist.",
       {"list_page"}},
      {"leaseRequest",
       "kopiur.v1.lease-req.{verb}.{key}.{run}",
       subjects::commands,
       "Acquire, renew or release a lease.",
       {"lease_request"}},
      {"command",
       "kopiur.v1.cmd.{cluster}.{service}.{verb}.{key}",
       subjects::commands,
       "Work for a service; idempotent by deterministic name.",
       {"gateway_command"}},
      {"answer", "kopiur.v1.answer.{cluster}.{service}.{verb}.{key}", subjects::answers, "What came of a command.", {"answer", "row_page"}},
      {"status",
       "kopiur.v1.status.{cluster}.{kind}.{namespace}.{name}.{service}",
       subjects::status,
       "One service's fragment of an object's status; one made from an older fact is dropped.",
       {"status_fragment"}},
      {"live", "kopiur.v1.live.{cluster}.{run}", "", "Progress and rows of a running mover; losing them costs nothing.", {"output_line"}},
  };
  return all;
}

}  // namespace kopiur::proto::schema
