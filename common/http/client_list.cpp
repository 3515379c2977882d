#include "common/http/client_list.hpp"

#include <algorithm>

namespace kopiur::http {

void client_list::place::enter(client_stage stage) {
  if (is_closing()) return;
  mine_->stage = stage, mine_->since = ++list_->changes;
}

bool client_list::make_room() {
  auto& entries = all_->entries;
  auto first = std::ranges::min_element(entries, {}, [](entry const& one) { return std::pair(one.stage, one.since); });
  if (first == entries.end() || first->stage >= client_stage::Answering) return false;
  first->stage = client_stage::Closing;
  first->close();
  return true;
}

std::unique_ptr<client_list::place> client_list::admit(std::function<void()> close) {
  auto& entries = all_->entries;
  auto here = std::ranges::count_if(entries, [](entry const& one) { return one.stage != client_stage::Closing; });
  if (static_cast<std::size_t>(here) >= most_ && !make_room()) return nullptr;
  auto mine = entries.insert(entries.end(), {client_stage::Arriving, ++all_->changes, std::move(close)});
  return std::make_unique<place>(all_, mine);
}

}  // namespace kopiur::http
