#include "simulations/commands/run_app.hpp"

#include <cstdio>
#include <stdexcept>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "reports/malformed_results.hpp"
#include "simulations/commands/exit_codes.hpp"
#include "simulations/data/catalogue.hpp"

namespace attest::commands {

int run_app(CLI::App& app, int argc, char** argv, int& exit_code) {
  try {
    app.parse(argc, argv);
    return exit_code;
  } catch (const CLI::Success& asked) {
    return app.exit(asked);
  } catch (const CLI::ParseError& failure) {
    fmt::print(stderr, "{}: {} ({} --help shows the usage)\n", app.get_name(), failure.what(), app.get_name());
    return exit_usage;
  } catch (const std::invalid_argument& failure) {
    fmt::print(stderr, "{}: {}\n", app.get_name(), failure.what());
    return exit_usage;
  } catch (const reports::MalformedResults& failure) {
    fmt::print(stderr, "{}: {}\n", app.get_name(), failure.what());
    return exit_usage;
  } catch (const simulations::MissingData& failure) {
    fmt::print(stderr, "{}: {}\n", app.get_name(), failure.what());
    return exit_usage;
  } catch (const std::exception& failure) {
    fmt::print(stderr, "{}: {}\n", app.get_name(), failure.what());
    return exit_io_or_device;
  }
}

}  // namespace attest::commands
