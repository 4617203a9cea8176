# What a build needs from the distribution: whatever is missing is named with its Debian package, all of it at once.
#
#   require_package(DEBIAN_PACKAGE NAME [arguments of find_package])
#   require_header(DEBIAN_PACKAGE VARIABLE FILE)
#   require_library(DEBIAN_PACKAGE VARIABLE NAME...)
#   stop_if_packages_are_missing()
#
# Macros: find_package leaves variables that its caller reads.
set(missing_files "")
set(missing_packages "")

macro(require_package debian_package name)
  find_package(${name} ${ARGN} QUIET)
  note_missing(${debian_package} "${name}" ${name}_FOUND)
endmacro()

macro(require_header debian_package variable file)
  find_path(${variable} ${file})
  note_missing(${debian_package} "${file}" ${variable})
endmacro()

macro(require_library debian_package variable)
  find_library(${variable} NAMES ${ARGN})
  note_missing(${debian_package} "the library ${ARGV2}" ${variable})
endmacro()

# variable: false where it was not found.
macro(note_missing debian_package what variable)
  if(NOT ${variable})
    list(APPEND missing_files "${what}")
    list(APPEND missing_packages ${debian_package})
  endif()
endmacro()

function(stop_if_packages_are_missing)
  if(missing_packages)
    # A line that begins with a space is printed as it is.
    list(REMOVE_DUPLICATES missing_packages)
    list(JOIN missing_files ", " files)
    list(JOIN missing_packages " " packages)
    message(FATAL_ERROR " Not found, or too old: ${files}. On Debian and Ubuntu install: ${packages}")
  endif()
endfunction()
