#pragma once
#include <string>

namespace kopiur::bus {

/// 22 letters and digits that no other call, process or machine will make: names of inboxes and consumers, prefixes of message ids.
std::string unique_token();

}  // namespace kopiur::bus
