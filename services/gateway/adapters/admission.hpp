#pragma once
#include <string>
#include <vector>

#include "services/controller/core/admission.hpp"
#include "services/gateway/core/names.hpp"

namespace kopiur::gateway {

using controller::finding;
using controller::verdict;

/// All of them as one sentence.
std::string listing(std::vector<finding> const& wrong);

/// What an API server with our CRDs would say (proto/examine.hpp): of our kinds, and of the core kinds that the local adapter reads. All
/// others pass: nothing here acts on them.
std::vector<finding> admission(json::value const& manifest, json::value const* current);

/// Whether beside() has anything to say of this kind: for all others the objects need not be gathered.
bool looks_beside(json::value const& manifest);
/// What the objects beside it mean for a manifest, as its system judges it. Asked of what people write; where it was not asked
/// (the files of a folder come in any order, a webhook was down) the services say it in the object's status. What it names and what is not
/// there is only a warning: manifests come in any order.
verdict beside(json::value const& manifest, object_map const& there);

}  // namespace kopiur::gateway
