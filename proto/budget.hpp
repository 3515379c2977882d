#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace kopiur::bus {
class fullness;
}

/// When new work stops, so that what runs can still record its end. proto/streams.hpp has the budgets.
namespace kopiur::proto {

/// From this part of the budget of `runs` on no run begins (hundredths). What is left is for the facts of those that run.
inline constexpr int full_for_new_runs = 90;
/// From this part on people are told.
inline constexpr int worth_telling = 70;

/// The reason of waiting, in a status.
inline constexpr std::string_view bus_full = "BusFull";
/// Why no run may begin now, as a sentence; nothing: they may.
std::optional<std::string> why_no_run_begins(bus::fullness const&);
/// The same, for the used part of the stream `runs`.
std::optional<std::string> why_no_run_begins(int percent_used);

}  // namespace kopiur::proto
