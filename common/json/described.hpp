#pragma once
#include <boost/describe.hpp>
#include <boost/mp11.hpp>
#include <boost/pfr/tuple_size.hpp>

namespace kopiur::json {

/// Whether each field of a struct is described. Slow to compile: see describe.hpp.
template <class T>
constexpr bool wholly_described =
    boost::mp11::mp_size<boost::describe::describe_members<T, boost::describe::mod_public | boost::describe::mod_inherited>>::value ==
    boost::pfr::tuple_size_v<T>;

}  // namespace kopiur::json
