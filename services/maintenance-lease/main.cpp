#include "services/maintenance-lease/shell/settings.hpp"

int main() { return kopiur::runtime::run<kopiur::lease::service>("maintenance-lease", kopiur::lease::options_of); }
