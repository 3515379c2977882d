#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "proto/kopiur/kopia_task.hpp"

/// Classifies failures. kopia exits with 0 or 1 only, so the class comes from the text it printed.
namespace kopiur::mover {

/// The operation that kopia was doing, for texts whose meaning depends on it.
enum class activity { Connecting, Creating, Reading, Snapshotting, Deleting, Restoring, Maintaining };

/// The class of a failed command: the first row of the table (failure.cpp) whose fragment occurs in its stderr; Unknown when none does.
proto::kopia_failure classify(std::string_view stderr_text, activity);

/// A sentence about this specific cause, for a class that has several; empty: the class's advice is sufficient.
std::string remedy(std::string_view stderr_text);

/// True when another attempt can succeed without a change by the user.
bool is_retryable(proto::kopia_failure);

/// What the class means and what to do about it: one or two sentences for the reader of the status.
std::string_view advice(proto::kopia_failure);

/// A failure with its class's advice, preceded by `what` (a sentence, or empty). The message of an Unknown failure quotes kopia's last
/// line.
proto::run_failure failure(proto::kopia_failure, std::string what = {}, std::string stderr_tail = {});

/// The last line of stderr that is not blank, without kopia's decoration.
std::string last_line(std::string_view stderr_text);

/// The last `count` lines that are not blank, each cut to `length` bytes plus three dots.
std::vector<std::string> last_lines(std::string_view text, std::size_t count, std::size_t length);

/// Cuts the text to this many bytes plus three dots; never splits a UTF-8 character.
void cut(std::string& text, std::size_t limit);

/// The text with every secret, and every `user:password@` of a URL, replaced. Secrets shorter than four characters are kept: replacing them
/// would remove ordinary words.
std::string redacted(std::string text, std::span<std::string const> secrets);

}  // namespace kopiur::mover
