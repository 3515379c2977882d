#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "proto/work.hpp"

/// What went wrong, from what kopia printed: it exits with 0 or 1 only, so the class of a failure comes from its text.
namespace kopiur::mover {

/// What kopia was doing, where the same words mean different things.
enum class activity { Connecting, Creating, Reading, Snapshotting, Deleting, Restoring, Maintaining };

/// The class of a failed command: the first row of the table (failure.cpp) whose fragment stands in its stderr; Unknown when none does.
proto::failure_class classify(std::string_view stderr_text, activity);

/// A sentence about this very cause, where the class has many; empty: the class' advice is all.
std::string remedy(std::string_view stderr_text);

/// Whether another attempt without a change by the user can succeed.
bool is_retryable(proto::failure_class);

/// What the class means and what to do about it: one or two sentences for whoever reads the status.
std::string_view advice(proto::failure_class);

/// A failure with its class' advice; `what` (a sentence, or empty) goes before it. The message of an Unknown one quotes kopia's last line.
proto::run_failure failure(proto::failure_class, std::string what = {}, std::string stderr_tail = {});

/// The last line of stderr that says something, without kopia's decoration.
std::string last_line(std::string_view stderr_text);

/// The last `count` lines that are not blank, each at most `length` bytes and three dots.
std::vector<std::string> last_lines(std::string_view text, std::size_t count, std::size_t length);

/// At most that many bytes and three dots; never a part of a UTF-8 character.
void cut(std::string& text, std::size_t to);

/// The text with every secret, and every `user:password@` of a URL, replaced. Secrets under four characters are left: they would blank
/// words.
std::string redacted(std::string text, std::span<std::string const> secrets);

}  // namespace kopiur::mover
