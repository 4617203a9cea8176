#include "simulations/terminal/run_program.hpp"

#include <cstdio>
#include <stdexcept>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "reports/files/malformed_results.hpp"
#include "simulations/data/catalogue/catalogue.hpp"
#include "simulations/data/files/malformed_data.hpp"
#include "simulations/terminal/exit_codes.hpp"

namespace attest::terminal {
namespace {

int complain(const CLI::App& app, const std::exception& failure, int code) {
  fmt::print(stderr, "{}: {}\n", app.get_name(), failure.what());
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
  } catch (const simulations::MissingData& failure) {
    return complain(app, failure, exit_usage);
  } catch (const simulations::MalformedData& failure) {
    return complain(app, failure, exit_usage);
  } catch (const std::exception& failure) {
    return complain(app, failure, exit_io_or_device);
  }
}

}  // namespace attest::terminal
