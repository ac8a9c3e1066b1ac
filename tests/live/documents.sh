#!/usr/bin/env bash
# The sessions in README.md, the trust model and the tutorials, run as they stand there: each command must print what the
# document says. In a document, `$ ` begins a command, `> ` goes on with it, and `…` stands for whatever may come there.
. "$TL_SRC/tests/lib.sh"

grep -qsx 'VERSION_CODENAME=bookworm' /etc/os-release || skip_all 'the sessions were recorded on Debian 12'
run "$TRACE_RUN" doctor
grep -qE '^landlock +yes, ABI 7$' <<<"$out" || skip_all 'the sessions were recorded with Landlock ABI 7'

# Where the sessions were recorded: in /home/me, with these ports, on x86-64.
place=
declare -A ports=()
as_here() {
  local text=$1 port
  for port in "${!ports[@]}"; do
    text=${text//"$port"/"${ports[$port]}"}
  done
  printf '%s' "$text"
}
as_recorded() {
  local text port
  text=$(sed "s|$place||g; s|${place#/}/||g; s|$(uname -m)-linux-gnu|x86_64-linux-gnu|g
    s|ld-linux-[a-z0-9_-]*\.so|ld-linux-x86-64.so|")
  for port in "${!ports[@]}"; do
    text=${text//"${ports[$port]}"/"$port"}
  done
  printf '%s' "$text"
}

# The log of each session has another name and another hash.
any_log() {
  sed -E 's|[0-9]{8}T[0-9]{6}Z-([a-z]+)-[0-9a-f]{16}\.jsonl|\1.jsonl|; s|\(SHA-256 [0-9a-f]{64}\)|(SHA-256 …)|'
}

# What a document expects, as a pattern for [[ ]]: nothing is special but the ellipsis.
as_pattern() {
  sed -E 's/[^[:alnum:][:space:]/…]/\\&/g; s/…/*/g'
}

# play_one COMMAND EXPECTED: in this very shell, as a person would go on in one. Output goes to a file of its own, for what
# stays in the background.
play_one() {
  local command=$1 want said
  played=$((played + 1))
  eval "$(as_here "$command")" >"$place.said.$played" 2>&1 </dev/null
  said=$(as_recorded <"$place.said.$played" | any_log)
  want=$(printf '%s' "$2" | any_log)
  # shellcheck disable=SC2053 # a pattern
  if [[ $said == $(as_pattern <<<"$want") ]]; then
    result 0 "$name: $command"
  else
    result 1 "$name: $command" 'said:' "$said" 'the document says:' "$want"
  fi
}

# play DOCUMENT MINIMUM: at least so many commands, lest a document be skipped as a whole.
play() {
  local name=$1 line command='' expected='' played=0
  local -a lines
  # All at once: a pipe that stays open would be inherited.
  mapfile -t lines < <(awk '/^```/ { print "```"; inside = $0 == "```console"; next } inside' "$TL_SRC/$name")
  fresh
  place=$PWD
  unset GIT_DIR GIT_WORK_TREE GIT_OPTIONAL_LOCKS
  export HOME=$place/home/me TMPDIR=$place/tmp LC_ALL=C
  mkdir -p "$HOME" "$TMPDIR" && cd "$HOME" || exit 1
  for line in "${lines[@]}"; do
    if [[ $line == '$ '* || $line == '```' ]]; then
      [ -z "$command" ] || play_one "$command" "${expected%$'\n'}"
      command=${line#'$ '} expected=
      [[ $line == '```' ]] && command=
    elif [[ $line == '>'* && -z $expected ]]; then
      line=${line#'>'}
      command+=$'\n'${line#' '}
    else
      expected+=$line$'\n'
    fi
  done
  check "$name has a session" [ "$played" -ge "$2" ]
}

PATH=$TL_BUILD:$PATH
first=$(own_ports 2)
ports=([8642]=$first [8643]=$((first + 1)))
play README.md 8
play docs/trust-model.md 8
play docs/tutorials/build.md 10
for program in busybox curl; do
  command -v "$program" >/dev/null || missing=$program
done
if [ -z "${missing-}" ]; then
  play docs/tutorials/server.md 12
else
  skip 'docs/tutorials/server.md' "$missing is not installed"
fi
play docs/tutorials/agent.md 10
finish
