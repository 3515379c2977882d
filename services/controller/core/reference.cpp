#include "services/controller/core/reference.hpp"

#include "proto/subjects.hpp"

namespace kopiur::controller {

namespace subjects = proto::subjects;

proto::object_ref reference(std::string_view subject) {
  auto ns = subjects::part(subject, 5);
  return {.kind = subjects::name(subjects::part(subject, 4)),
          .namespace_ = ns == "-" ? "" : subjects::name(ns),
          .name = subjects::name(subjects::part(subject, 6)),
          .uid = {}};
}

}  // namespace kopiur::controller
