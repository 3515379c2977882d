// The precompiled header of the services' cores: what common/app/core_pch.hpp has, and the kinds and events, whose structs are slow to
// parse.
#pragma once
#include "common/app/core_pch.hpp"
#include "proto/codec.hpp"
