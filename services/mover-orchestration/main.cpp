#include "services/mover-orchestration/shell/settings.hpp"

int main() { return kopiur::runtime::run<kopiur::orchestration::service>("mover-orchestration", kopiur::orchestration::options_of); }
