#include "simulations/command/plain_table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "reports/text/terminal.hpp"

namespace attest::commands {

void print_table(const std::vector<std::vector<std::string>>& rows) {
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column) {
      std::size_t width = 0;
      for (const auto& other : rows) width = std::max(width, reports::display_width(other[column]));
      line += column + 1 < row.size() ? reports::fit_to(row[column], width) + "  " : row[column];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  }
}

}  // namespace attest::commands
