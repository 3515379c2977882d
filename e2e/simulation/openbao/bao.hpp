#pragma once
#include <map>
#include <set>
#include <string>

namespace kopiur::simulation {

/// The OpenBao clusters of a story, as the Jobs that work on them see them. What was submitted survives everything.
struct bao_world {
  std::map<std::string, int> submissions;  ///< by the uid of the OpenBaoRestore
  std::map<std::string, int> backups;      ///< by `namespace/name` of the OpenBaoCluster
  std::set<std::string> sealed;            ///< `namespace/name`

  // Planted bugs.
  bool without_claims = false;   ///< a second pod of the Job submits, too
  bool submits_nothing = false;  ///< a Job succeeds without a submission
  bool forgets_locks = false;    ///< nobody is shown a lock
};

}  // namespace kopiur::simulation
