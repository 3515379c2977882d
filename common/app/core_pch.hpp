// The precompiled header of the core directories: the standard library and reflection, nothing that does I/O.
#pragma once
#include <algorithm>
#include <boost/describe.hpp>
#include <boost/mp11.hpp>
#include <chrono>
#include <expected>
#include <functional>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <string>
#include <variant>
#include <vector>
