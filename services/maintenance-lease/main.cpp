#include "services/maintenance-lease/shell/settings.hpp"

int main() { return kopiur::runtime::run<kopiur::maintenance_lease::service>("maintenance-lease", kopiur::maintenance_lease::options_of); }
