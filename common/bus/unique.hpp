#pragma once
#include <string>

namespace kopiur::bus {

/// 22 letters and digits, unique over all calls, processes and machines: for names of inboxes and consumers, and prefixes of message ids.
std::string unique_token();

}  // namespace kopiur::bus
