#pragma once
#include "common/blob/store.hpp"
#include "common/blob/transport.hpp"

namespace kopiur::blob {

/// The body of an answer as a content of `length` bytes; the count proves that it is whole. `action` begins the sentence of an error.
object_content counted_content(http_answer answer, object_head head, std::uint64_t length, std::string action);

/// What an answer's header says of an object; `version_field`: the field with its version.
object_head head_of(http::answer_head const& from, std::string_view version_field);

/// The field Content-Length; 0: there is none, or it is not a number.
std::uint64_t content_length(http::answer_head const& from);

}  // namespace kopiur::blob
