#pragma once
#include <string>
#include <vector>

#include "services/controller/core/admission.hpp"
#include "services/controller/core/configuration.hpp"
#include "services/controller/core/objects.hpp"
#include "services/gateway/core/names.hpp"

namespace kopiur::gateway {

using controller::finding;
using controller::verdict;

/// All findings as one sentence.
std::string listing(std::vector<finding> const& wrong);

/// The findings of an API server with kopiur's CRDs (proto/examine.hpp), for kopiur's kinds and the core kinds that the local adapter
/// reads. All other kinds pass: nothing here acts on them.
std::vector<finding> admission(json::value const& manifest, json::value const* current);

/// Validation beyond the manifest: what other objects and the configurations of the systems mean for it, as its service judges it. It is
/// applied to what users write; `current`: the object that is changed, nullptr: it is new. Where it was not applied (files of a folder come
/// in any order, a webhook was down), the services report it in the object's status. A named object that does not exist is only a warning:
/// manifests come in any order. `there`: as decoded_objects.hpp has it.
verdict beside(json::value const& manifest, controller::objects const& there, json::value const* current = nullptr,
               controller::configurations const& configurations = {});

}  // namespace kopiur::gateway
