#pragma once
#include <string>
#include <string_view>
#include <vector>

/// Shared by the fuzzers. A fuzzer is one file that defines look(); libFuzzer creates the inputs, entry.cpp passes them on.
namespace kopiur::fuzz {

/// Gives one input to the decoder under test, and checks the result. The view has exactly the input's bytes, so a read past its end is
/// detected.
void look(std::string_view input);

/// Ends the process if a property does not hold: libFuzzer then saves the input. `property` is a sentence for the log.
void require(bool holds, std::string_view property);

/// Cuts the first line off `rest`, without its line feed. Inputs of several parts have one part per line.
std::string_view take_line(std::string_view& rest);

/// The bytes in pieces of at most `length`, as a pipe or a socket delivers them. `length` is at least 1.
std::vector<std::string_view> pieces(std::string_view bytes, std::size_t length);

}  // namespace kopiur::fuzz
