#include "services/provisioner/shell/settings.hpp"

int main() { return kopiur::runtime::run<kopiur::provisioner::service>("provisioner", kopiur::provisioner::options_of); }
