#include "services/cli/core/completion.hpp"

#include <gtest/gtest.h>

namespace kopiur::cli {
namespace {

std::vector<verb_shape> const verbs{{"status", {"--help"}, {}},
                                    {"get", {"--field", "--help"}, {"backups", "restores"}},
                                    {"bus dlq", {"--show", "--help"}, {}},
                                    {"bus apply", {"--replicas", "--help"}, {}}};

constexpr auto bash_script = R"(_kopiur() {
  local word=${COMP_WORDS[COMP_CWORD]} words="bus get status"
  if [ "$COMP_CWORD" -gt 1 ]; then
    case ${COMP_WORDS[1]} in
      bus) words="--help --replicas --show apply dlq" ;;
      get) words="--field --help backups restores" ;;
      status) words="--help" ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _kopiur kopiur
)";

TEST(Completion, OffersFirstWordsThenWhatMayFollowThem) { EXPECT_EQ(completion_script("bash", verbs), bash_script); }

TEST(Completion, OfZshIsThatOfBash) {
  EXPECT_EQ(completion_script("zsh", verbs), "autoload -U +X bashcompinit && bashcompinit\n" + std::string(bash_script));
}

TEST(Completion, OfFishOffersVerbsOnlyAsTheFirstWord) {
  EXPECT_EQ(completion_script("fish", verbs), R"(complete -c kopiur -n __fish_use_subcommand -f -a 'bus get status'
complete -c kopiur -n '__fish_seen_subcommand_from bus' -a '--help --replicas --show apply dlq'
complete -c kopiur -n '__fish_seen_subcommand_from get' -a '--field --help backups restores'
complete -c kopiur -n '__fish_seen_subcommand_from status' -a '--help'
)");
}

/// A verb whose name begins with another's: `backups` and `backup now`.
TEST(Completion, KeepsVerbsApartThatBeginAlike) {
  auto script = completion_script("bash", {{"backups", {"--config"}, {}}, {"backup now", {"--wait"}, {}}}).value();
  EXPECT_NE(script.find("      backup) words=\"--wait now\" ;;\n      backups) words=\"--config\" ;;\n"), std::string::npos) << script;
}

TEST(Completion, KnowsNoOtherShell) {
  for (auto* shell : {"cmd", "", "sh", "Bash"}) EXPECT_FALSE(completion_script(shell, verbs)) << shell;
}

}  // namespace
}  // namespace kopiur::cli
