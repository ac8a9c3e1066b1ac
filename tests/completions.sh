#!/usr/bin/env bash
# The bash completions against the programs: each option of --help is completed and no other one, those that take an
# argument are known as such, and what can stand at a place is offered there.
. "$TL_SRC/tests/lib.sh"

# Options of a command as --help lists them, one a line; `--name=` and, for its short form, `-n=` when it takes an argument.
help_options() {
  "$@" --help | sed -nE 's/^ {2,6}(-[^ ].*)$/\1/p' | sed -E 's/  .*//' | awk '
    {
      with_argument = /[^[]=/ ? "=" : "" # --name[=X] takes none from the next word
      count = split($0, names, ", ")
      for (i = 1; i <= count; i++) {
        sub(/\[?=.*/, "", names[i])
        print names[i] with_argument
      }
    }' | sort
}

# offered WORD…: what is offered in place of the last word, one a line.
offered() {
  (
    # shellcheck disable=SC1090
    . "$TL_SRC/docs/completions/$1"
    # shellcheck disable=SC2030,SC2031 # what a completion function reads, in this shell alone
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    "_${1//-/_}"
    ((${#COMPREPLY[@]} == 0)) || printf '%s\n' "${COMPREPLY[@]}" | sort
  )
}

# The options that are offered; short ones as in --help.
offered_options() {
  offered "$@" - | while read -r option; do
    if [[ $option == -[a-z] && " $(with_argument "$*") " == *" $option "* ]]; then
      option=$option'='
    fi
    printf '%s\n' "$option" # echo would take -e and -n for its own
  done
}

with_argument() {
  . "$TL_SRC/docs/completions/trace-learn"
  echo "${_trace_with_argument[$1]-}"
}

commands=(trace-learn trace-run trace-diff trace-profile)
for name in check show why merge review trust export; do
  commands+=("trace-profile $name")
done
for command in "${commands[@]}"; do
  read -ra words <<<"$command"
  listed=$(help_options "$TL_BUILD/${words[0]}" "${words[@]:1}")
  like "$command has options" "$listed" '--help'
  is "$command: the options of --help are completed" "$(offered_options "${words[@]}")" "$listed"
  is "$command: those with an argument are known" "$(with_argument "$command" | tr ' ' '\n' | grep . | sort)" \
    "$(grep '=' <<<"$listed" | tr -d '=' | sort)"
done

fresh
touch one.ini two.ini
is "values behind a sign" "$(offered trace-diff --format = '')" $'json\ntext'
is "the beginning of a value" "$(offered trace-diff --fail-on = p)" protected
is "a value as the next word" "$(offered trace-diff --fail-on '')" $'guarded\nnormal\nprotected'
is "the sign itself" "$(offered trace-diff --format =)" $'json\ntext'
is "files" "$(offered trace-diff one.ini '')" $'one.ini\ntwo.ini'
is "options behind a file" "$(offered trace-diff one.ini --fo)" --format=
is "commands" "$(offered trace-profile '')" $'check\nexport\nmerge\nreview\nshow\ntrust\nwhy'
is "options of a command" "$(offered trace-profile show --f)" --format=
is "forms of a command" "$(offered trace-profile export --format = '')" $'bwrap\nsystemd'
is "no options that a command has not" "$(offered trace-profile check --f)" ''
is "files of a command" "$(offered trace-profile check one)" one.ini
mapfile -t known < <({
  for table in anywhere directory network scope seccomp; do
    "$TL_BUILD/tests/manual_rows" $table
  done
} | sed -n 's/^\.It Cm //p')
is "all that why may be asked about, and files" "$(offered trace-profile why '')" \
  "$(printf '%s\n' one.ini two.ini "${known[@]}" | sort)"
is "a right" "$(offered trace-profile why read_f)" read_file
is "the next right, behind a comma" "$(offered trace-profile why read_file,wri)" read_file,write_file
is "behind options" "$(offered trace-profile why -p one.ini --log = two.ini make_r)" make_reg
is "behind the rights a path" "$(offered trace-profile why read_file '')" $'one.ini\ntwo.ini'
is "another command has no rights" "$(offered trace-profile show read_f)" ''
is "a profile to run" "$(offered trace-run -p o)" one.ini
is "a profile to run, in long" "$(offered trace-run --profile = o)" one.ini
like "programs" "$(offered trace-run -p one.ini mkdi)" '(^|.)mkdir'
like "programs behind the end of options" "$(offered trace-learn -- mkdi)" 'mkdir'
is "the program's options are not ours" "$(offered trace-learn -o one.ini sh --f)" ''
is "the program's files" "$(offered trace-run -p one.ini cat t)" two.ini
is "the doctor" "$(offered trace-run docto)" doctor
finish
