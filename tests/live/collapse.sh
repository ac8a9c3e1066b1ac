#!/usr/bin/env bash
# --collapse and its like: fewer lines that allow more, never in sensitive places unasked, never without a word.
. "$TL_SRC/tests/lib.sh"

fresh
mkdir -p d/sub e
for file in d/1 d/2 d/3 d/4 d/other d/sub/x e/1 e/2 e/3; do
  echo "$file" >$file
done
readers=(cat d/1 d/2 d/3 d/4 e/1 e/2 e/3)

learn "${readers[@]}"
grants "nothing is collapsed unasked" "$PWD/d" ''
confined cat d/other
is "control: what was not read is refused" "$status" 1

learn_options=(--collapse)
learn "${readers[@]}"
grants "four entries make a directory" "$PWD/d" read_file
ungranted "and lines of their own no more" " $PWD/d/"
grants "three do not" "$PWD/e/1" read_file
like "it is said" "$err" "collapsed: read_file is granted on all of $PWD/d, for 4 entries of it"
like "with what it reaches" "$err" "read_file $PWD/d \(normal\) also reaches, and the program never touched:"
like "by name" "$err" "  $PWD/d/other"$'\n'
unlike "but not what was touched" "$err" "  $PWD/d/1"$'\n'
confined "${readers[@]}"
is "the program runs" "$status" 0
confined cat d/other d/sub/x
is "and the rest of the directory is readable now" "$status $out" $'0 d/other\nd/sub/x'
confined sh -c 'echo x >d/1'
isnt "but not writable" "$status" 0
exits "the profile passes" 0 "$TRACE_PROFILE" check p.ini

learn_options=(--collapse=3 --calls=enforced)
learn "${readers[@]}"
grants "with a lower number" "$PWD/e" read_file
for wrong in 0 1 x -3 3x; do
  exits "--collapse=$wrong" 125 "$TRACE_LEARN" --collapse=$wrong -- true
  says_line "is refused in one line"
done

# A profile that is added to.
learn_options=()
learn cat d/1 d/2 d/3
sed -i "s|^allow = read_file $PWD/d/1\$|; the first\n&|" p.ini
"$TRACE_PROFILE" trust p.ini >/dev/null 2>&1
exits "-m --collapse" 0 "$TRACE_LEARN" -m p.ini --collapse -- cat d/4
grants "counts the lines that were there" "$PWD/d" read_file
has "keeps the one with a comment" "allow = read_file $PWD/d/1"
ungranted "and takes the others" " $PWD/d/[2-4]"

# Guarded: directly in the home. Protected: it reaches what is secret there.
mkdir -p "$HOME/.ssh" && echo key >"$HOME/.ssh/id"
for file in 1 2 3 4; do
  echo $file >"$HOME/h$file"
done
learn_options=(--collapse)
learn cat "$HOME"/h{1,2,3,4}
grants "never by count where the home is reached" "$HOME" ''
grants "the lines stay" "$HOME/h4" read_file
learn_options=(--collapse-prefix="$HOME")
learn cat "$HOME"/h{1,2,3,4}
grants "nor by prefix" "$HOME" ''
like "which is said, with what to do" "$err" "not collapsed: read_file on all of $HOME .*--force-sensitive-collapse"
learn_options+=(--force-sensitive-collapse)
learn cat "$HOME"/h{1,2,3,4}
grants "but when it is forced" "$HOME" read_file
like "with a warning" "$err" "warning: protected: read_file $HOME"
like "that names the secret" "$err" "  $HOME/.ssh.* \(protected\)"
confined cat "$HOME/.ssh/id"
is "which is readable then" "$status $out" "0 key"
learn_options+=(--hold=protected)
learn cat "$HOME"/h{1,2,3,4}
has "what --hold is for is held" "allow = read_file $HOME"
confined cat "$HOME/.ssh/id"
is "and not readable" "$status" 1
exits "--force-sensitive-collapse alone" 125 "$TRACE_LEARN" --force-sensitive-collapse -- true
says_line "does nothing"
exits "--collapse-prefix=/" 125 "$TRACE_LEARN" --collapse-prefix=/ -- true
like "is never granted" "$err" '/ is never granted as a whole'

# What comes into a collapsed directory may gain nothing.
learn_options=(--collapse)
mkdir from && echo moved >from/f
learn sh -c 'cat d/1 d/2 d/3 d/4; mv from/f d/f'
grants "the source of a move gets what its target has got" "$PWD/from/f" read_file
like "which is said" "$err" "widened: read_file on $PWD/from/f"
mv d/f from/f
confined sh -c 'cat d/1 d/2 d/3 d/4; mv from/f d/f'
is "so it can still be moved" "$status" 0
check "and is there" test -e d/f

# A relative name, through a link, means the directory itself.
ln -s d link
learn_options=(--collapse-prefix=link/sub)
learn cat d/sub/x
grants "a prefix is resolved" "$PWD/d/sub" read_file

learn_options=(--min-abi=3)
learn true
has "--min-abi" 'landlock = 3'
exits "--min-abi=0" 125 "$TRACE_LEARN" --min-abi=0 -- true
says_line "is refused"
learn_options=(--min-abi=10)
learn cat d/1
has "one that this kernel may lack" 'landlock = 10'

# Long lists: the first lines, and how many are left out; -v has all.
fresh
for ((i = 0; i < 40; i++)); do
  mkdir -p many/$i/d
  touch many/$i/d/{1,2,3,4,other}
done
# told ERE: how many lines of the summary match.
told() {
  grep -cE -- "$1" <<<"$err"
}
reaches='^trace-learn: .* also reaches, and the program never touched:|^trace-learn:   /'
learn_options=(--collapse -v)
learn sh -c 'cat many/*/d/[1-4]'
collapsed=$(told '^trace-learn: collapsed: ')
reached=$(told "$reaches")
check "control: -v tells of each directory" test "$collapsed" -ge 40 -a "$reached" -ge 80
unlike "and leaves out nothing" "$err" 'lists all'
learn_options=(--collapse)
learn sh -c 'cat many/*/d/[1-4]'
is "20 that were collapsed are told, and how many are left" \
  "$(told '^trace-learn: collapsed: ') $(told "^trace-learn: and $((collapsed - 20)) more of that kind: -v lists all\$")" "20 1"
is "60 lines of what that reaches, and how many are left" \
  "$(told "$reaches") $(told "^trace-learn: and $((reached - 60)) more lines of that kind: -v lists all\$")" "60 1"
finish
