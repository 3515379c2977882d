#include "services/cli/core/completion.hpp"

#include <set>

#include "common/encoding/join.hpp"

namespace kopiur::cli {

namespace {

std::string first_word(std::string const& words) { return words.substr(0, words.find(' ')); }

std::vector<std::string> first_words(std::vector<verb_shape> const& verbs) {
  std::set<std::string> all;
  for (auto& each : verbs) all.insert(first_word(each.words));
  return {all.begin(), all.end()};
}

/// What may follow a first word: second words, options, kinds.
std::vector<std::string> followers(std::string const& word, std::vector<verb_shape> const& verbs) {
  std::set<std::string> all;
  for (auto& each : verbs) {
    if (first_word(each.words) != word) continue;
    if (each.words.size() > word.size()) all.insert(each.words.substr(word.size() + 1));
    all.insert(each.options.begin(), each.options.end());
    all.insert(each.kinds.begin(), each.kinds.end());
  }
  return {all.begin(), all.end()};
}

std::string bash(std::vector<verb_shape> const& verbs) {
  std::string out = "_kopiur() {\n  local word=${COMP_WORDS[COMP_CWORD]} words=\"" + encoding::join(first_words(verbs), " ") + "\"\n";
  out += "  if [ \"$COMP_CWORD\" -gt 1 ]; then\n    case ${COMP_WORDS[1]} in\n";
  for (auto& verb : first_words(verbs)) out += "      " + verb + ") words=\"" + encoding::join(followers(verb, verbs), " ") + "\" ;;\n";
  return out + "    esac\n  fi\n  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n}\ncomplete -o default -F _kopiur kopiur\n";
}

std::string fish(std::vector<verb_shape> const& verbs) {
  std::string out = "complete -c kopiur -n __fish_use_subcommand -f -a '" + encoding::join(first_words(verbs), " ") + "'\n";
  for (auto& verb : first_words(verbs))
    out += "complete -c kopiur -n '__fish_seen_subcommand_from " + verb + "' -a '" + encoding::join(followers(verb, verbs), " ") + "'\n";
  return out;
}

}  // namespace

std::optional<std::string> completion_script(std::string_view shell, std::vector<verb_shape> const& verbs) {
  if (shell == "bash") return bash(verbs);
  if (shell == "zsh") return "autoload -U +X bashcompinit && bashcompinit\n" + bash(verbs);
  if (shell == "fish") return fish(verbs);
  return {};
}

}  // namespace kopiur::cli
