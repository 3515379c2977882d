#include "services/retention/shell/settings.hpp"

int main() { return kopiur::runtime::run<kopiur::retention::service>("retention", kopiur::retention::options_of); }
