#include "proto/schema/notes.hpp"

#include "services/systems/buckety/kadm/config.hpp"
#include "services/systems/buckety/kadm/parameters.hpp"

/// Schema notes of the driver's configuration and parameters.
namespace kopiur::buckety::kadm {
namespace {

constexpr schema::limits broker{.pattern = R"(^([A-Za-z0-9][A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]+\]):[1-9][0-9]{0,4}$)",
                                .pattern_says = "host:port, as in `kafka.example:9092`"};
constexpr schema::limits pem{.pattern = "^-----BEGIN ", .pattern_says = "PEM"};
constexpr schema::limits not_empty{.min_length = 1};
constexpr schema::limits count{.pattern = "^[1-9][0-9]*$", .pattern_says = "a whole number from 1"};
constexpr schema::limits replication{.pattern = "^([1-9][0-9]*|-1)$", .pattern_says = "a whole number from 1, or -1"};

}  // namespace

schema::type_notes notes_of(std::type_identity<tls_config>) {
  return {.text = "Encryption of the connections to brokers.",
          .fields = {{"ca", "Certificates of the authorities that sign those of the brokers, PEM. Without it, the system's.", pem},
                     {"certificate", "The controller's own certificate, PEM, usually `${VARIABLE}`. Needs `key`."},
                     {"key", "The private key of `certificate`, PEM, usually `${VARIABLE}`."}}};
}

schema::type_notes notes_of(std::type_identity<sasl_config>) {
  return {
      .text = "The controller's login.",
      .fields = {{"mechanism", "The mechanism of SASL.", {.values = mechanisms}},
                 {.field = "username", .text = "Who logs in: an administrator of topics.", .own = not_empty, .required = true},
                 {.field = "password", .text = "The password of that user, usually `${VARIABLE}`.", .own = not_empty, .required = true}}};
}

schema::type_notes notes_of(std::type_identity<backend_config>) {
  return {
      .text =
          "The `config` of a backend with the driver `kadm`. `${VAR}` and `${VAR:-default}` are replaced in `tls.certificate`, "
          "`tls.key`, `sasl.username` and `sasl.password` only, where `$$` is a literal `$`.",
      .fields = {
          {.field = "seedBrokers",
           .text = "Brokers to ask for all others, host:port. The first one names the cluster: keep it first, and put it first in "
                   "all backends of this cluster. Accesses get the list as it is written.",
           .item = broker,
           .min_items = 1,
           .required = true},
          {"clientID", "The name that brokers see in requests."},
          {"tls", "If it is there, connections are encrypted, and the brokers' certificates are verified. `tls: {}` is enough."},
          {"sasl", "How the controller logs in; without it, it does not. With PLAIN and without `tls`, the password is sent as it is."}}};
}

schema::type_notes notes_of(std::type_identity<topic_parameters>) {
  return {
      .text = "`spec.parameters` of a Buckety with the driver `kadm`. A parameter that is absent is not managed.",
      .fields = {{"partitions", "How many partitions the topic has. It can only grow.", count},
                 {"replicationFactor", "On how many brokers each partition is; immutable. -1: the default of the brokers.", replication}}};
}

}  // namespace kopiur::buckety::kadm
