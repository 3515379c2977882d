#!/usr/bin/env bash
# Kopiur with one more system in the simulation: its own scenarios, and the hours of kopiur's objects beside it.
set -euo pipefail
toy=$("$(dirname "${BASH_SOURCE[0]}")/build.sh" toy_simulation_test kopiur-simulate systems_test)
"$toy/test/systems_test" --gtest_brief=1
"$toy/test/toy_simulation_test" --gtest_brief=1
"$toy/bin/kopiur-simulate" --hours 6 --runs 4 --seed 1 --shrink 0
