#!/usr/bin/env bash
# The manual pages against the programs: every option of --help stands in its page and the other way round, tables are
# the programs' own, exit statuses are told, and the pages are clean for mandoc and man.
. "$TL_SRC/tests/lib.sh"

docs=$TL_SRC/docs
version=$(sed -n 's/^AC_INIT(\[[^]]*\], \[\([^]]*\)\])$/\1/p' "$TL_SRC/configure.ac")

# trace-profile's commands have a help text each.
help_texts() {
  local command
  "$1" --help
  for command in $("$1" --help | sed -n 's/^  \([a-z]*\) [A-Z].*/\1/p'); do
    "$1" "$command" --help
  done
}

# Options as `--help` lists them: the lines that begin with two blanks and a dash, up to the text beside them.
help_options() {
  help_texts "$1" | sed -n 's/^ \{2,6\}\(-[^ ].*\)$/\1/p' | sed 's/  .*//' | grep -oE '(^|[ ,])--?[a-zA-Z?][a-z-]*' |
    tr -d ' ,' | sort -u
}

# Options as the page lists them: what follows Fl in the items of its lists.
page_options() {
  sed -n 's/^\.It \(Fl .*\)$/\1/p' "$1" | grep -oE 'Fl [^ ,]+' | sed 's/^Fl /-/; s/\\&//' | sort -u
}

# Long options that the page names anywhere.
page_mentions() {
  grep -oE '\<Fl -[a-z][a-z-]*' "$1" | sed 's/^Fl /-/' | sort -u
}

# The lines of a page between the two marks of a table.
page_table() {
  sed -n "/^\.\\\\\" begin $2\$/,/^\.\\\\\" end $2\$/p" "$1" | grep -v '^\.\\"'
}

for command in learn run diff profile; do
  page=$docs/trace-$command.1
  is "trace-$command.1 has the options of --help" "$(page_options "$page")" "$(help_options "$TL_BUILD/trace-$command")"
  is "trace-$command.1 names no other option" "$(page_mentions "$page" | comm -23 - <(page_options "$page"))" ''
done

# Options of the page that its synopsis has in neither form; --help and --version are left to their own.
missing_in_synopsis() {
  local synopsis forms form
  synopsis=$(sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESCRIPTION/p' "$1")
  sed -n 's/^\.It \(Fl .*\)$/\1/p' "$1" | grep -vE '^Fl -(help|version)$' | while read -r forms; do
    grep -oE 'Fl -?[a-zA-Z][a-z-]*' <<<"$forms" | sed 's/^Fl //' | while read -r form; do
      case $form in
      -*) grep -qE -e "(Fl|\\|) $form( |\$)" <<<"$synopsis" ;;
      *) grep -qE "(Fl|\\|) [a-zA-Z]*${form}[a-zA-Z]*( |\$)" <<<"$synopsis" ;;
      esac && echo there
    done | grep -q there || echo "$forms"
  done
}
for command in learn run diff profile; do
  is "trace-$command.1: its synopsis has each option" "$(missing_in_synopsis "$docs/trace-$command.1")" ''
done

# Variables that a file reads, and those that a page tells of.
read_variables() {
  sed -n 's/.*getenv("\([A-Z_]*\)").*/\1/p' "$@" | sort -u
}
told_variables() {
  sed -n 's/^\.It Ev //p' "$@" | tr -d ' ' | tr , '\n' | sort -u
}
isnt "variables are read" "$(read_variables "$TL_SRC"/{base,profile,tracer,runner}/*.c)" ''
is "each one is told of" \
  "$(read_variables "$TL_SRC"/{base,profile,tracer,runner}/*.c | comm -23 - <(told_variables "$docs"/*.1))" ''
for command in learn run diff profile; do
  is "trace-$command.1 tells of those that each reader of profiles reads" \
    "$(read_variables "$TL_SRC"/profile/{variables,tiers_load}.c | comm -23 - <(told_variables "$docs/trace-$command.1"))" ''
done

for command in learn run; do
  page=$docs/trace-$command.1
  statuses=$(sed -n '/^\.Sh EXIT STATUS/,/^\.Sh EXAMPLES/p' "$page" | sed -n 's/^\.It \(12[0-9]\)$/\1/p' | paste -sd' ')
  is "trace-$command.1 tells what 124 to 127 mean" "$statuses" '124 125 126 127'
done

for table in anywhere directory network scope seccomp; do
  rows=$("$TL_BUILD/tests/manual_rows" "$table")
  isnt "the programs have a table: $table" "$rows" ''
  is "trace-profile.5 has the same table: $table" "$(page_table "$docs/trace-profile.5" "$table")" "$rows"
done

for page in "$docs"/*.[15]; do
  name=${page##*/}
  is "$name is of this version" "$(sed -n 's/^\.Os trace-learn //p' "$page")" "$version"
  if command -v mandoc >/dev/null; then
    is "$name is clean for mandoc" "$(mandoc -Tlint -W warning "$page" 2>&1)" ''
  else
    skip "$name is clean for mandoc" 'mandoc is not installed'
  fi
  if command -v man >/dev/null && [ -n "$(man -l "$page" 2>/dev/null)" ]; then
    is "$name is clean for man" "$(man --warnings -l "$page" 2>&1 >/dev/null)" ''
  else
    skip "$name is clean for man" 'man cannot format pages here'
  fi
done

# Each page that is referred to is there, or belongs to the system.
for page in "$docs"/*.[15]; do
  while read -r reference; do
    check "${page##*/} refers to a page that exists: $reference" test -f "$docs/$reference"
  done < <(sed -n 's/^\.Xr \(trace-[a-z]*\) \([0-9]\).*/\1.\2/p' "$page" | sort -u)
done

# What the other documents refer to is there: pages and headings that are linked, and files of the project that are named.
links() {
  grep -oE '\]\([^)]+\)' "$1" | sed 's/^](//; s/)$//' | grep -v '^https\?:' | sort -u
}
anchors() {
  sed -n 's/^##* //p' "$1" | tr '[:upper:] ' '[:lower:]-' | tr -cd 'a-z0-9\n-'
}
named_files() {
  grep -oE '`[a-zA-Z0-9_./-]+\.(c|h|sh|ini|json|md|py)`' "$1" | tr -d '`' | sort -u
}
while read -r document; do
  lost=
  while read -r link; do
    target=$(dirname "$document")/${link%%#*}
    [ -n "${link%%#*}" ] || target=$document
    if [ ! -e "$target" ]; then
      lost+="$link "
    elif [[ $link == *#* ]] && ! anchors "$target" | grep -qxF -e "${link#*#}"; then
      lost+="$link "
    fi
  done < <(links "$document")
  is "${document#"$TL_SRC/"}: links lead somewhere" "$lost" ''
done < <(find "$TL_SRC" -maxdepth 1 -name '*.md'; find "$docs" -name '*.md')
source_files=$(cd "$TL_SRC" && find base profile tracer runner tests docs fixtures -type f)
for document in "$docs/internals.md" "$docs/internals"/*.md "$TL_SRC/CONTRIBUTING.md"; do
  lost=$(named_files "$document" | while read -r file; do
    grep -qE "(^|/)${file//./\\.}\$" <<<"$source_files" || printf '%s ' "$file"
  done)
  is "${document#"$TL_SRC/"}: files that it names are there" "$lost" ''
done
# What comments in the code refer to (what is made while the project is built is not in the source).
lost=$(cd "$TL_SRC" && grep -rohE '\<(docs|tests|base|profile|tracer|runner|fixtures)/[a-zA-Z0-9/_.-]*\.(md|json|c|sh|py|ini|[15])\>' \
  base profile tracer runner tests fixtures --include='*.[ch]' | sort -u | while read -r file; do
  [ -e "$file" ] || printf '%s ' "$file"
done)
is "files that the code names are there" "$lost" ''
finish
