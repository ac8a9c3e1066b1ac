#!/usr/bin/env bash
# tests/installed.sh DIRECTORY: each link and each file name in the documents that were installed there leads to a file that
# was installed as well. For `make installcheck`, which `make distcheck` runs.
set -u
cd "${1:?which directory}" || exit 1
failed=0

# wrong FILE NAME
wrong() {
  printf '%s: %s was not installed\n' "$1" "$2" >&2
  failed=1
}

while IFS=: read -r file link; do
  link=${link#"]("}
  link=${link%%[)#]*}
  case $link in
    '' | *://*) ;;
    *) [ -e "$(dirname "$file")/$link" ] || wrong "$file" "$link" ;;
  esac
done < <(find . -name '*.md' -exec grep -oHE '\]\([^)]*\)' {} +)
while read -r name; do
  [ -e "$name" ] || wrong 'a manual page' "$name"
done < <(cat "${@:2}" /dev/null | sed -nE 's/^\.Pa ([a-z-]+\.(md|schema\.json))([ ,.].*)?$/\1/p' | sort -u)
exit "$failed"
