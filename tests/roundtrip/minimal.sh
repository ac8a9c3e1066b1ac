# shellcheck shell=bash
# For `make check-minimal`; run-trip reads it where TRIP_MINIMAL is set. From the profile that was learned it takes one
# right of one line after the other, and runs the command again: in a fresh place, and if status, output and files are
# as natively, once more under strace, which sees what the program may have passed over: a call that is refused now and
# was not before. Where nothing differs, the right is needless. (Halves of the profile would tell nothing: nearly all
# rights are needed.)

reduced=$TL_DIR/reduced.ini

# "LINE RIGHT" for each right that is enforced.
rights_of_profile() {
  awk '/^\[/ { on = $0 ~ /^\[(normal|guarded|protected|network|scope)\]$/ }
    on && /^allow = / {
      split(substr($0, 9), part, " ")
      count = split(part[1], right, ",")
      for (i = 1; i <= count; i++)
        print NR, right[i]
    }' "$profile"
}

# profile_without LINE RIGHT: the line goes with its last right.
profile_without() {
  awk -v line="$1" -v right="$2" '
    NR == line {
      rest = substr($0, 9)
      rights = rest
      sub(/ .*/, "", rights)
      count = split(rights, has, ",")
      left = ""
      for (i = 1; i <= count; i++)
        if (has[i] != right)
          left = left (left == "" ? "" : ",") has[i]
      dropped = left == ""
      if (!dropped)
        print "allow = " left substr(rest, length(rights) + 1)
      next
    }
    NR > line && /^[^ ]/ { dropped = 0 }
    !dropped' "$profile" >"$reduced"
}

# denials PROFILE: the calls that are refused under it as Landlock refuses, each kind once.
denials() {
  local calls='%file,ioctl,ftruncate,bind,connect,sendto,sendmsg,kill,tkill,tgkill,pidfd_send_signal,rt_sigqueueinfo'
  prepare
  run strace -f -qq -s 4096 -e trace="$calls" -e status=failed -e signal=none -o "$TL_DIR/failed" \
    "$TRACE_RUN" --allow-writable-profile -p "$1" -- "${command[@]}"
  sed -nE 's/^[0-9]+ +//; s/0x[0-9a-f]+/0x/g; s/= -1 (EACCES|EPERM|EXDEV) .*/= \1/p' "$TL_DIR/failed" | sort -u
}

# What a program that was cut short has left running would be in the way of the next one.
end_what_is_left() {
  local file
  grep -lazsxF "HOME=$place/home" /proc/[0-9]*/environ | while IFS=/ read -r _ _ pid _; do
    kill -KILL "$pid" 2>/dev/null
  done
}

is_needless() {
  outcome reduced "$TRACE_RUN" --allow-writable-profile -p "$reduced" -- "${command[@]}"
  end_what_is_left
  cmp -s "$TL_DIR/native" "$TL_DIR/reduced" || return 1
  denials "$reduced" >"$TL_DIR/denials.reduced"
  [ -z "$(comm -13 "$TL_DIR/denials" "$TL_DIR/denials.reduced")" ]
}

# One result for the trip: the needless rights are those of the kinds that are known (needless.txt).
minimal() {
  local line right fact count=0 needless=() unknown=()
  denials "$profile" >"$TL_DIR/denials"
  while read -r line right; do
    count=$((count + 1))
    profile_without "$line" "$right"
    is_needless || continue
    fact="$right $(sed -n "${line}s/^[^ ]* = [^ ]* *//p" "$profile")"
    needless+=("$fact")
    grep -qE -f <(grep '^[^#]' "$TL_SRC/tests/roundtrip/needless.txt") <<<"$title: $fact" || unknown+=("$fact")
  done < <(rights_of_profile)
  result $((${#unknown[@]} > 0)) "$title: $count rights, ${#needless[@]} needless" "needless:" "${unknown[@]}"
  printf '# needless: %s\n' "${needless[@]}"
}
