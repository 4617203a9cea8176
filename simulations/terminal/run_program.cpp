#include "simulations/terminal/run_program.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

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

/// What was printed may still be on its way: `code` where all of it arrived.
int arrived(const CLI::App& app, int code, int error) {
  errno = error;
  std::cout.flush();
  const bool flushed = std::fflush(stdout) == 0;
  if (flushed && std::cout && std::ferror(stdout) == 0) return code;
  fmt::print(stderr, "{}: cannot write to standard output: {}; free some space or send it elsewhere\n", app.get_name(),
             std::strerror(errno == 0 ? EIO : errno));
  return exit_io_or_device;
}

/// `output_error` is what the system said where standard output failed.
int run_and_explain(CLI::App& app, const std::function<int()>& body, int& output_error) {
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
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "{}: this does not fit into memory: make sizes smaller, or use a machine with more\n",
               app.get_name());
    return exit_io_or_device;
  } catch (const std::system_error& failure) {
    if (std::ferror(stdout) == 0) return complain(app, failure, exit_io_or_device);
    output_error = failure.code().value();
    return exit_io_or_device;
  } catch (const std::exception& failure) {
    return complain(app, failure, exit_io_or_device);
  }
}

}  // namespace

int run_program(CLI::App& app, const std::function<int()>& body) {
  int output_error = 0;
  const int code = run_and_explain(app, body, output_error);
  return arrived(app, code, output_error);
}

}  // namespace attest::terminal
