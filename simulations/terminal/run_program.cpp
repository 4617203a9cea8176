#include "simulations/terminal/run_program.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "reports/files/malformed_results.hpp"
#include "reports/text/terminal.hpp"
#include "simulations/data/catalogue/catalogue.hpp"
#include "simulations/data/files/malformed_data.hpp"
#include "simulations/terminal/exit_codes.hpp"

namespace attest::terminal {
namespace {

int complain(const CLI::App& app, const std::exception& failure, int code) {
  // A sentence may quote a file's bytes: nothing in them reaches the terminal as a command or a line of its own.
  std::string sentence = reports::printable(failure.what());
  std::replace(sentence.begin(), sentence.end(), '\n', ' ');
  fmt::print(stderr, "{}: {}\n", app.get_name(), sentence);
  return code;
}

}  // namespace

int run_program(CLI::App& app, const std::function<int()>& body) {
  try {
    return body();
  } catch (const CLI::Success& asked) {
    return app.exit(asked);
  } catch (const CLI::ParseError& failure) {
    fmt::print(stderr, "{}: {}; {} --help shows the usage\n", app.get_name(), failure.what(), app.get_name());
    return exit_usage;
  } catch (const std::invalid_argument& failure) {
    return complain(app, failure, exit_usage);
  } catch (const reports::MalformedResults& failure) {
    return complain(app, failure, exit_usage);
  } catch (const data::MissingData& failure) {
    return complain(app, failure, exit_usage);
  } catch (const data::MalformedData& failure) {
    return complain(app, failure, exit_usage);
  } catch (const std::exception& failure) {
    return complain(app, failure, exit_io_or_device);
  }
}

}  // namespace attest::terminal
