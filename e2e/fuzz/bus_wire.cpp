#include "common/bus/subject.hpp"
#include "common/bus/wire.hpp"
#include "e2e/fuzz/fuzz.hpp"

namespace kopiur::fuzz {
namespace {

using namespace bus;

/// A receipt in the usual form is parsed without the JSON reader: both must agree where both can read it.
void check_receipt(std::string_view input) {
  auto said = wire::read_receipt(input);
  auto slow = wire::read_answer(input);
  if (!said || !slow) return;
  auto* sequence = slow->find("seq");
  require(said->stream == slow->text("stream"), "a receipt names the stream");
  require(!sequence || !sequence->as_int() || *sequence->as_int() < 0 || said->sequence == static_cast<std::uint64_t>(*sequence->as_int()),
          "a receipt names the sequence");
}

void check_stored(std::string_view input) {
  auto answer = wire::read_answer(input);
  if (!answer) return require(!answer.error().what.text.empty(), "a refusal says why");
  if (auto found = wire::read_stored(*answer))
    for (auto& [name, value] : found->head) require(!name.contains(':'), "a header's name ends at its colon");
}

}  // namespace

/// What the bus server sends: API answers, receipts, header blocks, subjects of acknowledgements.
void look(std::string_view input) {
  check_receipt(input), check_stored(input);
  for (auto& [name, value] : wire::read_headers(input)) require(!value.starts_with(' '), "a header's value begins behind its blanks");
  if (auto ack = wire::read_ack_subject(input)) require(input.contains(ack->key), "a key stands in the subject");
  if (!input.contains('*') && !input.contains('>')) require(matches(input, input), "a subject matches itself");
}

}  // namespace kopiur::fuzz
