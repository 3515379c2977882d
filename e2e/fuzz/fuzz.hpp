#pragma once
#include <string>
#include <string_view>
#include <vector>

/// What the fuzzers have in common. A fuzzer is one file that defines look(); libFuzzer makes the inputs, entry.cpp hands them on.
namespace kopiur::fuzz {

/// Gives one input to the decoder under test, and checks what came of it. The view has exactly the input's bytes, so that a read past its
/// end is found.
void look(std::string_view input);

/// Ends the process where a property does not hold: libFuzzer then keeps the input. `property` is a sentence for whoever reads the log.
void require(bool holds, std::string_view property);

/// Cuts the first line off `rest`, without its line feed. Inputs of several parts have one part a line.
std::string_view take_line(std::string_view& rest);

/// The bytes in pieces of `length` and less, as a pipe or a socket delivers them. `length` is at least 1.
std::vector<std::string_view> pieces(std::string_view bytes, std::size_t length);

}  // namespace kopiur::fuzz
