#pragma once
#include <boost/describe.hpp>

/// KOPIUR_DESCRIBE(type, (bases), (members)): makes a struct known to the codec (codec.hpp) and the schema. The members must contain every
/// field. One translation unit (e2e/structure/described.cpp) checks that for all headers, because the check slows each compilation. A
/// struct in a .cpp is checked in that file, by `static_assert(json::wholly_described<type>)` (described.hpp).
#define KOPIUR_DESCRIBE(TYPE, BASES, MEMBERS) \
  BOOST_DESCRIBE_STRUCT(TYPE, BASES, MEMBERS) \
  KOPIUR_DESCRIBED(TYPE)

#ifdef KOPIUR_CHECK_DESCRIBED
#include "common/json/described.hpp"
#define KOPIUR_DESCRIBED(TYPE) static_assert(::kopiur::json::wholly_described<TYPE>, "a field of this struct is not described");
#else
#define KOPIUR_DESCRIBED(TYPE)
#endif
