#include "simulations/command/statements/drawn_variables.hpp"

#include <exception>
#include <vector>

#include "simulations/command/statements/statement_source.hpp"

namespace attest::commands {

std::set<std::string> drawn_variables(const language::Statement& statement) {
  std::set<std::string> names;
  for (const language::Binder& binder : statement.binders)
    if (binder.quantifier == language::Quantifier::random) names.insert(binder.names.begin(), binder.names.end());
  return names;
}

std::set<std::string> drawn_variables(const std::string& id, const std::string& paper) {
  std::vector<std::string> arguments = {id};
  if (!paper.empty()) arguments.insert(arguments.begin(), paper);
  std::set<std::string> names;
  try {
    for (const NamedStatement& each : statements_named(arguments)) names.merge(drawn_variables(each.statement));
  } catch (const std::exception&) {  // the check is in C++, or the file is gone: what is drawn has no name here
  }
  return names;
}

}  // namespace attest::commands
