// The precompiled header of the tests.
#pragma once
#include <gtest/gtest.h>

#include "common/app/pch.hpp"
