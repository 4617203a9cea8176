// Checks of your own, built apart and given to the program: attest check --plugin libmine.so.
//
//   #include "theorems/engine/plugin.hpp"
//   ATTEST_PLUGIN(claims)
//   attest::engine::Claims claims() { ... }
//
// Built by find_package(Attest) and target_link_libraries(mine PRIVATE Attest::plugin), as a MODULE: the program brings
// every function of the engine, the kernels and the language that it uses itself.
#pragma once

#include "theorems/engine/claim.hpp"

/// Rises whenever a type that crosses between program and plug-in changes. A plug-in of another interface is refused.
#define ATTEST_PLUGIN_INTERFACE 2

/// Defines what the program looks for; `make` is a function () -> attest::engine::Claims, declared here.
#define ATTEST_PLUGIN(make)                                                    \
  attest::engine::Claims make();                                               \
  extern "C" int attest_plugin_interface() { return ATTEST_PLUGIN_INTERFACE; } \
  extern "C" void attest_plugin_claims(attest::engine::Claims& claims) { append(claims, make()); }

namespace attest::engine {

/// The claims of the plug-in in that file. It stays loaded. Errors: std::invalid_argument naming the file where it
/// cannot be loaded, is not a plug-in, or has another interface.
Claims claims_of_plugin(const std::string& file);

}  // namespace attest::engine
