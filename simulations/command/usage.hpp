// Wrong usage as one sentence with the nearest right word.
#pragma once

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace attest::commands {

/// Makes every whole-number option of `app` and its verbs refuse what is not one, a minus sign included, or has too
/// many digits: without it -1 and 10^30 would be taken for the largest number there is.
void refuse_what_is_no_number(CLI::App& app);

/// Parses the command line. Errors: std::invalid_argument, one sentence that names the word and the nearest right one,
/// for wrong usage; CLI::Success when help or version was asked for.
void parse(CLI::App& app, int argc, char** argv);

}  // namespace attest::commands
