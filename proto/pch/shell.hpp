// The precompiled header of the services: the core's headers plus what does I/O.
#pragma once
#include "common/app/pch.hpp"
#include "common/bus/port.hpp"
#include "proto/codec.hpp"
