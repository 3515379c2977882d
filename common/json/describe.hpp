#pragma once
#include <boost/describe.hpp>

/// KOPIUR_DESCRIBE(type, (bases), (members)): makes a struct known to the codec (codec.hpp) and the schema. Every field has to stand among
/// the members: one translation unit (e2e/structure/described.cpp) checks that of all headers, because the check costs each that makes it
/// dearly. A struct of a .cpp is checked where it stands, by `static_assert(json::wholly_described<type>)` (described.hpp).
#define KOPIUR_DESCRIBE(TYPE, BASES, MEMBERS) \
  BOOST_DESCRIBE_STRUCT(TYPE, BASES, MEMBERS) \
  KOPIUR_DESCRIBED(TYPE)

#ifdef KOPIUR_CHECK_DESCRIBED
#include "common/json/described.hpp"
#define KOPIUR_DESCRIBED(TYPE) static_assert(::kopiur::json::wholly_described<TYPE>, "a field of this struct is not described");
#else
#define KOPIUR_DESCRIBED(TYPE)
#endif
