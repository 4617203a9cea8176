#include "reports/pages/errata_pdf.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <unistd.h>

#include "reports/figures/run_program.hpp"
#include "reports/files/atomic_file.hpp"
#include "reports/files/temporary_folder.hpp"
#include "reports/html/elements/page_names.hpp"

namespace attest::reports {
namespace {

namespace fs = std::filesystem;

bool is_installed(const std::string& program) {
  if (program.find('/') != std::string::npos) return ::access(program.c_str(), X_OK) == 0;
  const char* path = std::getenv("PATH");
  std::string_view folders = path == nullptr ? "" : path;
  while (!folders.empty()) {
    const std::string_view folder = folders.substr(0, folders.find(':'));
    if (::access((fs::path(folder) / program).c_str(), X_OK) == 0) return true;
    folders.remove_prefix(std::min(folders.size(), folder.size() + 1));
  }
  return false;
}

/// The address of a file for a browser: what is not plain in a path as %XX.
std::string file_address(const fs::path& file) {
  std::string address = "file://";
  for (const char c : fs::absolute(file).string()) address += c == '/' ? "/" : html::query_value(std::string(1, c));
  return address;
}

}  // namespace

std::vector<std::string> browsers() {
  if (const char* chosen = std::getenv("ATTEST_CHROMIUM"); chosen != nullptr && *chosen != '\0') return {chosen};
  return {"chromium", "chromium-browser", "google-chrome"};
}

ErrataPdf print_errata(const fs::path& directory, const std::vector<std::string>& browsers) {
  const fs::path page = directory / html::errata_page_name, file = directory / "errata.pdf";
  for (const std::string& browser : browsers) {
    if (!is_installed(browser)) continue;
    const TemporaryFolder profile("browser");  // of the browser's own files
    const fs::path unfinished = profile.path() / "errata.pdf";
    std::vector<std::string> arguments = {"120",
                                          browser,
                                          "--headless",
                                          "--disable-gpu",
                                          "--no-first-run",
                                          "--disable-background-networking",
                                          "--disable-component-update",
                                          "--disable-sync",
                                          "--no-pdf-header-footer",
                                          "--user-data-dir=" + profile.path().string(),
                                          "--print-to-pdf=" + unfinished.string(),
                                          file_address(page)};
    // Chromium refuses to sandbox what root runs.
    if (::geteuid() == 0) arguments.insert(arguments.begin() + 2, "--no-sandbox");
    const ProgramEnd end = run_program("timeout", "", arguments);
    std::error_code none;
    if (fs::exists(unfinished, none)) {
      write_file_atomically(file, read_whole_file(unfinished));
      return {file, ""};
    }
    return {{},
            fmt::format("{} ended with status {} and printed nothing; open {} in a browser and print it there", browser,
                        end.status, page.string())};
  }
  return {{},
          fmt::format("no PDF: Chromium is not installed; open {} in any browser and print it, it is made for paper",
                      page.string())};
}

}  // namespace attest::reports
