// attest train: hands over to the program that trains.
#include "simulations/command/hand_over.hpp"
#include "simulations/command/verb.hpp"

namespace attest::commands::definitions {
namespace {

void add_train(CLI::App& verb, Chosen& chosen) {
  // Its options, and the help on them, are those of the program it hands over to.
  verb.set_help_flag();
  verb.prefix_command();
  verb.callback([&verb, &chosen] { chosen = [&verb] { return hand_over("attest_train", verb.remaining()); }; });
}

}  // namespace

Verb train_verb() { return {"train", "train variants of a model and compare them", add_train}; }

}  // namespace attest::commands::definitions
