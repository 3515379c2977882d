#include "proto/schema/node.hpp"
#include "proto/subjects.hpp"

/// The only list of subjects with their messages; proto/subjects.hpp builds the subjects.
namespace kopiur::proto::schema {

std::vector<channel> const& channels() {
  static std::vector<channel> const all{
      {"request",
       "kopiur.v1.req.{cluster}.{namespace}.{verb}",
       subjects::requests,
       "Requests from outside kopiur (verbs backup, restore, maintenance, cancel). The PubAck means that the request is stored durably.",
       {"backup_request", "restore_request", "maintenance_request", "cancel_request"}},
      {"ack", "kopiur.v1.ack.{cluster}.{namespace}.{id}", "", "Result of a request, sent within a second.", {"request_answer"}},
      {"resource",
       "kopiur.v1.resource.{cluster}.{kind}.{namespace}.{name}",
       subjects::resources,
       "The gateway's copy of one object. For the seven kinds it is the object itself; its JSON Schema is named like the kind. For Jobs it "
       "is this body. A deletion is a tombstone. Of a Secret, only name, uid and resourceVersion are published.",
       {"job"}},
      {"kindState",
       "kopiur.v1.resource.{cluster}.{kind}.-.-",
       subjects::resources,
       "Whether a kind that a cluster may lack is listed. While it is not, its objects are unknown, and none is reported as deleted.",
       {"kind_state"}},
      {"run",
       "kopiur.v1.run.{cluster}.{run}",
       subjects::runs,
       "Facts of one run, each with the state after it; written by compare-and-set.",
       {"run_fact"}},
      {"lease", "kopiur.v1.lease.{key}", subjects::states, "Holders of one lease, in all clusters.", {"lease_state"}},
      {"leaseWaiter",
       "kopiur.v1.lease-waiter.{key}.{cluster}.{run}",
       subjects::states,
       "A run that waits for a lease. It gets it by priority, then by age.",
       {"lease_waiter"}},
      {"repository",
       "kopiur.v1.repository.{cluster}.{uid}",
       subjects::states,
       "The head of a repository's newest complete list of snapshots, written after its pages.",
       {"snapshot_list"}},
      {"watch",
       "kopiur.v1.watch.{cluster}",
       subjects::states,
       "When the cluster answered. Only this time counts towards a Backup's preconditionDeadlineSeconds.",
       {"watch_log"}},
      {"list",
       "kopiur.v1.list.{cluster}.{uid}.{half}.{page}",
       subjects::lists,
       "One page of a repository's list of snapshots.",
       {"list_page"}},
      {"leaseRequest",
       "kopiur.v1.lease-req.{verb}.{key}.{run}",
       subjects::commands,
       "Acquire, renew or release a lease.",
       {"lease_request"}},
      {"command",
       "kopiur.v1.cmd.{cluster}.{service}.{verb}.{key}",
       subjects::commands,
       "A command to a service; idempotent by its deterministic name.",
       {"gateway_command"}},
      {"answer", "kopiur.v1.answer.{cluster}.{service}.{verb}.{key}", subjects::answers, "Result of a command.", {"answer", "row_page"}},
      {"status",
       "kopiur.v1.status.{cluster}.{kind}.{namespace}.{name}.{service}",
       subjects::status,
       "One service's fragment of an object's status; a fragment that is based on an older fact is dropped.",
       {"status_fragment"}},
      {"live", "kopiur.v1.live.{cluster}.{run}", "", "Progress and rows of a running mover; losing them does no harm.", {"output_line"}},
  };
  return all;
}

}  // namespace kopiur::proto::schema
