# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_hashline_global_optspecs
    string join \n root= scheme= session= no-memory color= no-pager h/help V/version
end

function __fish_hashline_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_hashline_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_hashline_using_subcommand
    set -l cmd (__fish_hashline_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c hashline -n "__fish_hashline_needs_command" -l root -d 'The workspace; by default the repository around the current directory, or that directory' -r -F
complete -c hashline -n "__fish_hashline_needs_command" -l scheme -d 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a' -r
complete -c hashline -n "__fish_hashline_needs_command" -l session -d 'Which agent this is: each remembers only what itself was shown' -r
complete -c hashline -n "__fish_hashline_needs_command" -l color -d 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set' -r -f -a "auto\t'On a terminal, or with `CLICOLOR_FORCE`'
always\t'Always'
never\t'Never'"
complete -c hashline -n "__fish_hashline_needs_command" -l no-memory -d 'Neither use nor keep what was shown'
complete -c hashline -n "__fish_hashline_needs_command" -l no-pager -d 'Print on a terminal without a pager'
complete -c hashline -n "__fish_hashline_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c hashline -n "__fish_hashline_needs_command" -s V -l version -d 'Print version'
complete -c hashline -n "__fish_hashline_needs_command" -f -a "read" -d 'Print files, every line as LINE:HASH|content'
complete -c hashline -n "__fish_hashline_needs_command" -f -a "apply" -d 'Change files by the anchors of their lines: all of a patch, or nothing'
complete -c hashline -n "__fish_hashline_needs_command" -f -a "grep" -d 'Search files; every line that is printed has its anchor'
complete -c hashline -n "__fish_hashline_needs_command" -f -a "hash" -d 'Print the tags of a file\'s lines, a line each'
complete -c hashline -n "__fish_hashline_needs_command" -f -a "verify" -d 'Say whether anchors still fit the lines of a file'
complete -c hashline -n "__fish_hashline_needs_command" -f -a "undo" -d 'Undo a patch: the last one, or the one that a receipt names'
complete -c hashline -n "__fish_hashline_needs_command" -f -a "redo" -d 'Redo the patch that was undone last, unless another was made since'
complete -c hashline -n "__fish_hashline_needs_command" -f -a "history" -d 'List the patches that can be undone, the latest first'
complete -c hashline -n "__fish_hashline_needs_command" -f -a "diff" -d 'Print what has changed since before a patch: the last one, or the one a receipt names'
complete -c hashline -n "__fish_hashline_needs_command" -f -a "stats" -d 'Say what hashline has done for you, in numbers'
complete -c hashline -n "__fish_hashline_needs_command" -f -a "recover" -d 'Finish or undo what an interrupted patch left behind'
complete -c hashline -n "__fish_hashline_needs_command" -f -a "status" -d 'Say where the workspace, its settings and its state are'
complete -c hashline -n "__fish_hashline_needs_command" -f -a "judge" -d 'Judge a shell command without running it: exit 0 to allow, 1 to block'
complete -c hashline -n "__fish_hashline_needs_command" -f -a "doctor" -d 'Check the installation'
complete -c hashline -n "__fish_hashline_needs_command" -f -a "hook" -d 'Answer a coding agent\'s hook on standard input and output'
complete -c hashline -n "__fish_hashline_needs_command" -f -a "setup" -d 'Set an agent up to use this program: permission, hooks, instructions'
complete -c hashline -n "__fish_hashline_needs_command" -f -a "schema" -d 'Print the JSON schema of a tool'
complete -c hashline -n "__fish_hashline_needs_command" -f -a "completions" -d 'Print the completions of a shell'
complete -c hashline -n "__fish_hashline_needs_command" -f -a "man" -d 'Write the man pages into a directory'
complete -c hashline -n "__fish_hashline_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c hashline -n "__fish_hashline_using_subcommand read" -l start-line -d 'The first line to print, counted from 1' -r
complete -c hashline -n "__fish_hashline_using_subcommand read" -l lines -d 'How many lines to print' -r
complete -c hashline -n "__fish_hashline_using_subcommand read" -l chunk-lines -d 'The most lines written at once' -r
complete -c hashline -n "__fish_hashline_using_subcommand read" -l chunk-bytes -d 'The most bytes written at once; a longer row is written by itself' -r
complete -c hashline -n "__fish_hashline_using_subcommand read" -l max-lines -d 'Stop after this many lines of each file' -r
complete -c hashline -n "__fish_hashline_using_subcommand read" -l max-bytes -d 'Stop after this many bytes of each file\'s rows' -r
complete -c hashline -n "__fish_hashline_using_subcommand read" -l search -d 'Print only the lines that hold this text' -r
complete -c hashline -n "__fish_hashline_using_subcommand read" -l root -d 'The workspace; by default the repository around the current directory, or that directory' -r -F
complete -c hashline -n "__fish_hashline_using_subcommand read" -l scheme -d 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a' -r
complete -c hashline -n "__fish_hashline_using_subcommand read" -l session -d 'Which agent this is: each remembers only what itself was shown' -r
complete -c hashline -n "__fish_hashline_using_subcommand read" -l color -d 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set' -r -f -a "auto\t'On a terminal, or with `CLICOLOR_FORCE`'
always\t'Always'
never\t'Never'"
complete -c hashline -n "__fish_hashline_using_subcommand read" -l changes -d 'Print only what changed since the file was last printed in this workspace'
complete -c hashline -n "__fish_hashline_using_subcommand read" -l json -d 'Print an object a line: path, line, tag, text'
complete -c hashline -n "__fish_hashline_using_subcommand read" -l no-memory -d 'Neither use nor keep what was shown'
complete -c hashline -n "__fish_hashline_using_subcommand read" -l no-pager -d 'Print on a terminal without a pager'
complete -c hashline -n "__fish_hashline_using_subcommand read" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c hashline -n "__fish_hashline_using_subcommand read" -s V -l version -d 'Print version'
complete -c hashline -n "__fish_hashline_using_subcommand apply" -l input -d 'Read the patch from a file; `-` is standard input, which is also the default' -r -F
complete -c hashline -n "__fish_hashline_using_subcommand apply" -l base64 -d 'The patch itself, in base64' -r
complete -c hashline -n "__fish_hashline_using_subcommand apply" -l fd -d 'Read the patch from an open file descriptor' -r
complete -c hashline -n "__fish_hashline_using_subcommand apply" -l root -d 'The workspace; by default the repository around the current directory, or that directory' -r -F
complete -c hashline -n "__fish_hashline_using_subcommand apply" -l scheme -d 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a' -r
complete -c hashline -n "__fish_hashline_using_subcommand apply" -l session -d 'Which agent this is: each remembers only what itself was shown' -r
complete -c hashline -n "__fish_hashline_using_subcommand apply" -l color -d 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set' -r -f -a "auto\t'On a terminal, or with `CLICOLOR_FORCE`'
always\t'Always'
never\t'Never'"
complete -c hashline -n "__fish_hashline_using_subcommand apply" -l emit-updated -d 'Print only the fresh anchors of what changed'
complete -c hashline -n "__fish_hashline_using_subcommand apply" -l print -d 'Print the changed files'
complete -c hashline -n "__fish_hashline_using_subcommand apply" -l dry-run -d 'Say what would be done, and do nothing'
complete -c hashline -n "__fish_hashline_using_subcommand apply" -l json -d 'Print the outcome, or the error, as JSON'
complete -c hashline -n "__fish_hashline_using_subcommand apply" -l no-relocate -d 'Refuse anchors whose line has moved'
complete -c hashline -n "__fish_hashline_using_subcommand apply" -l allow-outside -d 'Allow files outside the workspace'
complete -c hashline -n "__fish_hashline_using_subcommand apply" -l no-memory -d 'Neither use nor keep what was shown'
complete -c hashline -n "__fish_hashline_using_subcommand apply" -l no-pager -d 'Print on a terminal without a pager'
complete -c hashline -n "__fish_hashline_using_subcommand apply" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c hashline -n "__fish_hashline_using_subcommand apply" -s V -l version -d 'Print version'
complete -c hashline -n "__fish_hashline_using_subcommand grep" -s e -l regexp -d 'Search for this pattern, too; what follows are paths' -r
complete -c hashline -n "__fish_hashline_using_subcommand grep" -s A -l after-context -d 'Lines to print after each match' -r
complete -c hashline -n "__fish_hashline_using_subcommand grep" -s B -l before-context -d 'Lines to print before each match' -r
complete -c hashline -n "__fish_hashline_using_subcommand grep" -s C -l context -d 'Lines to print on both sides of each match' -r
complete -c hashline -n "__fish_hashline_using_subcommand grep" -s g -l glob -l include -d 'Search only files that fit this pattern of names; `!` in front leaves them out' -r
complete -c hashline -n "__fish_hashline_using_subcommand grep" -l exclude -l exclude-dir -d 'Leave out files that fit this pattern of names' -r
complete -c hashline -n "__fish_hashline_using_subcommand grep" -s t -l type -d 'Search only files of this type, such as rust or js' -r
complete -c hashline -n "__fish_hashline_using_subcommand grep" -s m -l max-count -d 'The most matching lines of each file' -r
complete -c hashline -n "__fish_hashline_using_subcommand grep" -l limit -d 'The most matching lines to print; all by default' -r
complete -c hashline -n "__fish_hashline_using_subcommand grep" -l sort -d 'Files come in the order of their paths, whatever is asked for' -r -f -a "none\t'No order: paths are sorted all the same'
path\t'The order of paths'"
complete -c hashline -n "__fish_hashline_using_subcommand grep" -l root -d 'The workspace; by default the repository around the current directory, or that directory' -r -F
complete -c hashline -n "__fish_hashline_using_subcommand grep" -l scheme -d 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a' -r
complete -c hashline -n "__fish_hashline_using_subcommand grep" -l session -d 'Which agent this is: each remembers only what itself was shown' -r
complete -c hashline -n "__fish_hashline_using_subcommand grep" -l color -d 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set' -r -f -a "auto\t'On a terminal, or with `CLICOLOR_FORCE`'
always\t'Always'
never\t'Never'"
complete -c hashline -n "__fish_hashline_using_subcommand grep" -s i -l ignore-case -d 'Ignore case'
complete -c hashline -n "__fish_hashline_using_subcommand grep" -s s -l case-sensitive -d 'Case matters, as it does by default'
complete -c hashline -n "__fish_hashline_using_subcommand grep" -s S -l smart-case -d 'Ignore case unless the pattern has a capital letter'
complete -c hashline -n "__fish_hashline_using_subcommand grep" -s F -l fixed-strings -d 'The pattern is plain text'
complete -c hashline -n "__fish_hashline_using_subcommand grep" -s E -l extended-regexp -d 'The pattern is a regular expression, as it is by default'
complete -c hashline -n "__fish_hashline_using_subcommand grep" -s P -l perl-regexp -d 'Refused: there are no look-around and no back-references'
complete -c hashline -n "__fish_hashline_using_subcommand grep" -s w -l word-regexp -d 'Match whole words only'
complete -c hashline -n "__fish_hashline_using_subcommand grep" -s x -l line-regexp -d 'Match whole lines only'
complete -c hashline -n "__fish_hashline_using_subcommand grep" -s v -l invert-match -d 'Print the lines that do not match'
complete -c hashline -n "__fish_hashline_using_subcommand grep" -s U -l multiline -d 'A match may span several lines'
complete -c hashline -n "__fish_hashline_using_subcommand grep" -s o -l only-matching -d 'Print whole lines all the same: an anchor belongs to a line'
complete -c hashline -n "__fish_hashline_using_subcommand grep" -s l -l files-with-matches -d 'Print only the names of the files that match'
complete -c hashline -n "__fish_hashline_using_subcommand grep" -s L -l files-without-match -d 'Print only the names of the files that do not match'
complete -c hashline -n "__fish_hashline_using_subcommand grep" -s c -l count -d 'Print only how many lines match in each file'
complete -c hashline -n "__fish_hashline_using_subcommand grep" -l files -d 'Print only the names of the files that would be searched; there is no pattern then'
complete -c hashline -n "__fish_hashline_using_subcommand grep" -s q -l quiet -d 'Print nothing: the exit code says whether anything was found'
complete -c hashline -n "__fish_hashline_using_subcommand grep" -s u -l unrestricted -d 'Search files that .gitignore names, too; twice, hidden files as well'
complete -c hashline -n "__fish_hashline_using_subcommand grep" -l hidden -d 'Search hidden files too'
complete -c hashline -n "__fish_hashline_using_subcommand grep" -l no-hidden -d 'Leave hidden files out, as by default'
complete -c hashline -n "__fish_hashline_using_subcommand grep" -l no-ignore -d 'Search files that .gitignore names too'
complete -c hashline -n "__fish_hashline_using_subcommand grep" -l ignore -d 'Leave out what .gitignore names, as by default'
complete -c hashline -n "__fish_hashline_using_subcommand grep" -s n -l line-number -d 'Accepted: lines have their numbers, files their names, and directories are searched through'
complete -c hashline -n "__fish_hashline_using_subcommand grep" -l json -d 'Print the outcome as JSON'
complete -c hashline -n "__fish_hashline_using_subcommand grep" -l no-memory -d 'Neither use nor keep what was shown'
complete -c hashline -n "__fish_hashline_using_subcommand grep" -l no-pager -d 'Print on a terminal without a pager'
complete -c hashline -n "__fish_hashline_using_subcommand grep" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c hashline -n "__fish_hashline_using_subcommand grep" -s V -l version -d 'Print version'
complete -c hashline -n "__fish_hashline_using_subcommand hash" -l root -d 'The workspace; by default the repository around the current directory, or that directory' -r -F
complete -c hashline -n "__fish_hashline_using_subcommand hash" -l scheme -d 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a' -r
complete -c hashline -n "__fish_hashline_using_subcommand hash" -l session -d 'Which agent this is: each remembers only what itself was shown' -r
complete -c hashline -n "__fish_hashline_using_subcommand hash" -l color -d 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set' -r -f -a "auto\t'On a terminal, or with `CLICOLOR_FORCE`'
always\t'Always'
never\t'Never'"
complete -c hashline -n "__fish_hashline_using_subcommand hash" -l no-memory -d 'Neither use nor keep what was shown'
complete -c hashline -n "__fish_hashline_using_subcommand hash" -l no-pager -d 'Print on a terminal without a pager'
complete -c hashline -n "__fish_hashline_using_subcommand hash" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c hashline -n "__fish_hashline_using_subcommand hash" -s V -l version -d 'Print version'
complete -c hashline -n "__fish_hashline_using_subcommand verify" -l root -d 'The workspace; by default the repository around the current directory, or that directory' -r -F
complete -c hashline -n "__fish_hashline_using_subcommand verify" -l scheme -d 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a' -r
complete -c hashline -n "__fish_hashline_using_subcommand verify" -l session -d 'Which agent this is: each remembers only what itself was shown' -r
complete -c hashline -n "__fish_hashline_using_subcommand verify" -l color -d 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set' -r -f -a "auto\t'On a terminal, or with `CLICOLOR_FORCE`'
always\t'Always'
never\t'Never'"
complete -c hashline -n "__fish_hashline_using_subcommand verify" -l no-memory -d 'Neither use nor keep what was shown'
complete -c hashline -n "__fish_hashline_using_subcommand verify" -l no-pager -d 'Print on a terminal without a pager'
complete -c hashline -n "__fish_hashline_using_subcommand verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c hashline -n "__fish_hashline_using_subcommand verify" -s V -l version -d 'Print version'
complete -c hashline -n "__fish_hashline_using_subcommand undo" -l root -d 'The workspace; by default the repository around the current directory, or that directory' -r -F
complete -c hashline -n "__fish_hashline_using_subcommand undo" -l scheme -d 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a' -r
complete -c hashline -n "__fish_hashline_using_subcommand undo" -l session -d 'Which agent this is: each remembers only what itself was shown' -r
complete -c hashline -n "__fish_hashline_using_subcommand undo" -l color -d 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set' -r -f -a "auto\t'On a terminal, or with `CLICOLOR_FORCE`'
always\t'Always'
never\t'Never'"
complete -c hashline -n "__fish_hashline_using_subcommand undo" -l others -d 'Skip files that have changed since, and undo the others'
complete -c hashline -n "__fish_hashline_using_subcommand undo" -l list -d 'List the patches that are kept, the latest first'
complete -c hashline -n "__fish_hashline_using_subcommand undo" -l json -d 'Print the outcome as JSON'
complete -c hashline -n "__fish_hashline_using_subcommand undo" -l no-memory -d 'Neither use nor keep what was shown'
complete -c hashline -n "__fish_hashline_using_subcommand undo" -l no-pager -d 'Print on a terminal without a pager'
complete -c hashline -n "__fish_hashline_using_subcommand undo" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c hashline -n "__fish_hashline_using_subcommand undo" -s V -l version -d 'Print version'
complete -c hashline -n "__fish_hashline_using_subcommand redo" -l root -d 'The workspace; by default the repository around the current directory, or that directory' -r -F
complete -c hashline -n "__fish_hashline_using_subcommand redo" -l scheme -d 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a' -r
complete -c hashline -n "__fish_hashline_using_subcommand redo" -l session -d 'Which agent this is: each remembers only what itself was shown' -r
complete -c hashline -n "__fish_hashline_using_subcommand redo" -l color -d 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set' -r -f -a "auto\t'On a terminal, or with `CLICOLOR_FORCE`'
always\t'Always'
never\t'Never'"
complete -c hashline -n "__fish_hashline_using_subcommand redo" -l json -d 'Print the outcome as JSON'
complete -c hashline -n "__fish_hashline_using_subcommand redo" -l no-memory -d 'Neither use nor keep what was shown'
complete -c hashline -n "__fish_hashline_using_subcommand redo" -l no-pager -d 'Print on a terminal without a pager'
complete -c hashline -n "__fish_hashline_using_subcommand redo" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c hashline -n "__fish_hashline_using_subcommand redo" -s V -l version -d 'Print version'
complete -c hashline -n "__fish_hashline_using_subcommand history" -l root -d 'The workspace; by default the repository around the current directory, or that directory' -r -F
complete -c hashline -n "__fish_hashline_using_subcommand history" -l scheme -d 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a' -r
complete -c hashline -n "__fish_hashline_using_subcommand history" -l session -d 'Which agent this is: each remembers only what itself was shown' -r
complete -c hashline -n "__fish_hashline_using_subcommand history" -l color -d 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set' -r -f -a "auto\t'On a terminal, or with `CLICOLOR_FORCE`'
always\t'Always'
never\t'Never'"
complete -c hashline -n "__fish_hashline_using_subcommand history" -l no-memory -d 'Neither use nor keep what was shown'
complete -c hashline -n "__fish_hashline_using_subcommand history" -l no-pager -d 'Print on a terminal without a pager'
complete -c hashline -n "__fish_hashline_using_subcommand history" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c hashline -n "__fish_hashline_using_subcommand history" -s V -l version -d 'Print version'
complete -c hashline -n "__fish_hashline_using_subcommand diff" -l root -d 'The workspace; by default the repository around the current directory, or that directory' -r -F
complete -c hashline -n "__fish_hashline_using_subcommand diff" -l scheme -d 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a' -r
complete -c hashline -n "__fish_hashline_using_subcommand diff" -l session -d 'Which agent this is: each remembers only what itself was shown' -r
complete -c hashline -n "__fish_hashline_using_subcommand diff" -l color -d 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set' -r -f -a "auto\t'On a terminal, or with `CLICOLOR_FORCE`'
always\t'Always'
never\t'Never'"
complete -c hashline -n "__fish_hashline_using_subcommand diff" -l no-memory -d 'Neither use nor keep what was shown'
complete -c hashline -n "__fish_hashline_using_subcommand diff" -l no-pager -d 'Print on a terminal without a pager'
complete -c hashline -n "__fish_hashline_using_subcommand diff" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c hashline -n "__fish_hashline_using_subcommand diff" -s V -l version -d 'Print version'
complete -c hashline -n "__fish_hashline_using_subcommand stats" -l root -d 'The workspace; by default the repository around the current directory, or that directory' -r -F
complete -c hashline -n "__fish_hashline_using_subcommand stats" -l scheme -d 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a' -r
complete -c hashline -n "__fish_hashline_using_subcommand stats" -l session -d 'Which agent this is: each remembers only what itself was shown' -r
complete -c hashline -n "__fish_hashline_using_subcommand stats" -l color -d 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set' -r -f -a "auto\t'On a terminal, or with `CLICOLOR_FORCE`'
always\t'Always'
never\t'Never'"
complete -c hashline -n "__fish_hashline_using_subcommand stats" -l json -d 'Print the numbers as JSON'
complete -c hashline -n "__fish_hashline_using_subcommand stats" -l no-memory -d 'Neither use nor keep what was shown'
complete -c hashline -n "__fish_hashline_using_subcommand stats" -l no-pager -d 'Print on a terminal without a pager'
complete -c hashline -n "__fish_hashline_using_subcommand stats" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c hashline -n "__fish_hashline_using_subcommand stats" -s V -l version -d 'Print version'
complete -c hashline -n "__fish_hashline_using_subcommand recover" -l root -d 'The workspace; by default the repository around the current directory, or that directory' -r -F
complete -c hashline -n "__fish_hashline_using_subcommand recover" -l scheme -d 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a' -r
complete -c hashline -n "__fish_hashline_using_subcommand recover" -l session -d 'Which agent this is: each remembers only what itself was shown' -r
complete -c hashline -n "__fish_hashline_using_subcommand recover" -l color -d 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set' -r -f -a "auto\t'On a terminal, or with `CLICOLOR_FORCE`'
always\t'Always'
never\t'Never'"
complete -c hashline -n "__fish_hashline_using_subcommand recover" -l set-aside -d 'Put journals aside that can be neither finished nor undone'
complete -c hashline -n "__fish_hashline_using_subcommand recover" -l json -d 'Print the outcome as JSON'
complete -c hashline -n "__fish_hashline_using_subcommand recover" -l no-memory -d 'Neither use nor keep what was shown'
complete -c hashline -n "__fish_hashline_using_subcommand recover" -l no-pager -d 'Print on a terminal without a pager'
complete -c hashline -n "__fish_hashline_using_subcommand recover" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c hashline -n "__fish_hashline_using_subcommand recover" -s V -l version -d 'Print version'
complete -c hashline -n "__fish_hashline_using_subcommand status" -l root -d 'The workspace; by default the repository around the current directory, or that directory' -r -F
complete -c hashline -n "__fish_hashline_using_subcommand status" -l scheme -d 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a' -r
complete -c hashline -n "__fish_hashline_using_subcommand status" -l session -d 'Which agent this is: each remembers only what itself was shown' -r
complete -c hashline -n "__fish_hashline_using_subcommand status" -l color -d 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set' -r -f -a "auto\t'On a terminal, or with `CLICOLOR_FORCE`'
always\t'Always'
never\t'Never'"
complete -c hashline -n "__fish_hashline_using_subcommand status" -l no-memory -d 'Neither use nor keep what was shown'
complete -c hashline -n "__fish_hashline_using_subcommand status" -l no-pager -d 'Print on a terminal without a pager'
complete -c hashline -n "__fish_hashline_using_subcommand status" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c hashline -n "__fish_hashline_using_subcommand status" -s V -l version -d 'Print version'
complete -c hashline -n "__fish_hashline_using_subcommand judge" -l cwd -d 'The directory that the command would run in' -r -F
complete -c hashline -n "__fish_hashline_using_subcommand judge" -l shell -d 'The shell that the command is for' -r -f -a "bash\t''
powershell\t''"
complete -c hashline -n "__fish_hashline_using_subcommand judge" -l root -d 'The workspace; by default the repository around the current directory, or that directory' -r -F
complete -c hashline -n "__fish_hashline_using_subcommand judge" -l scheme -d 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a' -r
complete -c hashline -n "__fish_hashline_using_subcommand judge" -l session -d 'Which agent this is: each remembers only what itself was shown' -r
complete -c hashline -n "__fish_hashline_using_subcommand judge" -l color -d 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set' -r -f -a "auto\t'On a terminal, or with `CLICOLOR_FORCE`'
always\t'Always'
never\t'Never'"
complete -c hashline -n "__fish_hashline_using_subcommand judge" -l json -d 'Print the verdict as JSON'
complete -c hashline -n "__fish_hashline_using_subcommand judge" -l no-memory -d 'Neither use nor keep what was shown'
complete -c hashline -n "__fish_hashline_using_subcommand judge" -l no-pager -d 'Print on a terminal without a pager'
complete -c hashline -n "__fish_hashline_using_subcommand judge" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c hashline -n "__fish_hashline_using_subcommand judge" -s V -l version -d 'Print version'
complete -c hashline -n "__fish_hashline_using_subcommand doctor" -l root -d 'The workspace; by default the repository around the current directory, or that directory' -r -F
complete -c hashline -n "__fish_hashline_using_subcommand doctor" -l scheme -d 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a' -r
complete -c hashline -n "__fish_hashline_using_subcommand doctor" -l session -d 'Which agent this is: each remembers only what itself was shown' -r
complete -c hashline -n "__fish_hashline_using_subcommand doctor" -l color -d 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set' -r -f -a "auto\t'On a terminal, or with `CLICOLOR_FORCE`'
always\t'Always'
never\t'Never'"
complete -c hashline -n "__fish_hashline_using_subcommand doctor" -l simulate -d 'Feed sample events through the installed hook and report what it answers'
complete -c hashline -n "__fish_hashline_using_subcommand doctor" -l no-memory -d 'Neither use nor keep what was shown'
complete -c hashline -n "__fish_hashline_using_subcommand doctor" -l no-pager -d 'Print on a terminal without a pager'
complete -c hashline -n "__fish_hashline_using_subcommand doctor" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c hashline -n "__fish_hashline_using_subcommand doctor" -s V -l version -d 'Print version'
complete -c hashline -n "__fish_hashline_using_subcommand hook" -l root -d 'The workspace; by default the repository around the current directory, or that directory' -r -F
complete -c hashline -n "__fish_hashline_using_subcommand hook" -l scheme -d 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a' -r
complete -c hashline -n "__fish_hashline_using_subcommand hook" -l session -d 'Which agent this is: each remembers only what itself was shown' -r
complete -c hashline -n "__fish_hashline_using_subcommand hook" -l color -d 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set' -r -f -a "auto\t'On a terminal, or with `CLICOLOR_FORCE`'
always\t'Always'
never\t'Never'"
complete -c hashline -n "__fish_hashline_using_subcommand hook" -l no-memory -d 'Neither use nor keep what was shown'
complete -c hashline -n "__fish_hashline_using_subcommand hook" -l no-pager -d 'Print on a terminal without a pager'
complete -c hashline -n "__fish_hashline_using_subcommand hook" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c hashline -n "__fish_hashline_using_subcommand hook" -s V -l version -d 'Print version'
complete -c hashline -n "__fish_hashline_using_subcommand setup" -l root -d 'The workspace; by default the repository around the current directory, or that directory' -r -F
complete -c hashline -n "__fish_hashline_using_subcommand setup" -l scheme -d 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a' -r
complete -c hashline -n "__fish_hashline_using_subcommand setup" -l session -d 'Which agent this is: each remembers only what itself was shown' -r
complete -c hashline -n "__fish_hashline_using_subcommand setup" -l color -d 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set' -r -f -a "auto\t'On a terminal, or with `CLICOLOR_FORCE`'
always\t'Always'
never\t'Never'"
complete -c hashline -n "__fish_hashline_using_subcommand setup" -l dry-run -d 'Show what would change, and change nothing'
complete -c hashline -n "__fish_hashline_using_subcommand setup" -l global -d 'For all of your projects: in your home directory instead of this workspace'
complete -c hashline -n "__fish_hashline_using_subcommand setup" -l remove -d 'Take out what an earlier setup put in'
complete -c hashline -n "__fish_hashline_using_subcommand setup" -l no-memory -d 'Neither use nor keep what was shown'
complete -c hashline -n "__fish_hashline_using_subcommand setup" -l no-pager -d 'Print on a terminal without a pager'
complete -c hashline -n "__fish_hashline_using_subcommand setup" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c hashline -n "__fish_hashline_using_subcommand setup" -s V -l version -d 'Print version'
complete -c hashline -n "__fish_hashline_using_subcommand schema" -l root -d 'The workspace; by default the repository around the current directory, or that directory' -r -F
complete -c hashline -n "__fish_hashline_using_subcommand schema" -l scheme -d 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a' -r
complete -c hashline -n "__fish_hashline_using_subcommand schema" -l session -d 'Which agent this is: each remembers only what itself was shown' -r
complete -c hashline -n "__fish_hashline_using_subcommand schema" -l color -d 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set' -r -f -a "auto\t'On a terminal, or with `CLICOLOR_FORCE`'
always\t'Always'
never\t'Never'"
complete -c hashline -n "__fish_hashline_using_subcommand schema" -l no-memory -d 'Neither use nor keep what was shown'
complete -c hashline -n "__fish_hashline_using_subcommand schema" -l no-pager -d 'Print on a terminal without a pager'
complete -c hashline -n "__fish_hashline_using_subcommand schema" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c hashline -n "__fish_hashline_using_subcommand schema" -s V -l version -d 'Print version'
complete -c hashline -n "__fish_hashline_using_subcommand completions" -l root -d 'The workspace; by default the repository around the current directory, or that directory' -r -F
complete -c hashline -n "__fish_hashline_using_subcommand completions" -l scheme -d 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a' -r
complete -c hashline -n "__fish_hashline_using_subcommand completions" -l session -d 'Which agent this is: each remembers only what itself was shown' -r
complete -c hashline -n "__fish_hashline_using_subcommand completions" -l color -d 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set' -r -f -a "auto\t'On a terminal, or with `CLICOLOR_FORCE`'
always\t'Always'
never\t'Never'"
complete -c hashline -n "__fish_hashline_using_subcommand completions" -l no-memory -d 'Neither use nor keep what was shown'
complete -c hashline -n "__fish_hashline_using_subcommand completions" -l no-pager -d 'Print on a terminal without a pager'
complete -c hashline -n "__fish_hashline_using_subcommand completions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c hashline -n "__fish_hashline_using_subcommand completions" -s V -l version -d 'Print version'
complete -c hashline -n "__fish_hashline_using_subcommand man" -l root -d 'The workspace; by default the repository around the current directory, or that directory' -r -F
complete -c hashline -n "__fish_hashline_using_subcommand man" -l scheme -d 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a' -r
complete -c hashline -n "__fish_hashline_using_subcommand man" -l session -d 'Which agent this is: each remembers only what itself was shown' -r
complete -c hashline -n "__fish_hashline_using_subcommand man" -l color -d 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set' -r -f -a "auto\t'On a terminal, or with `CLICOLOR_FORCE`'
always\t'Always'
never\t'Never'"
complete -c hashline -n "__fish_hashline_using_subcommand man" -l no-memory -d 'Neither use nor keep what was shown'
complete -c hashline -n "__fish_hashline_using_subcommand man" -l no-pager -d 'Print on a terminal without a pager'
complete -c hashline -n "__fish_hashline_using_subcommand man" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c hashline -n "__fish_hashline_using_subcommand man" -s V -l version -d 'Print version'
complete -c hashline -n "__fish_hashline_using_subcommand help; and not __fish_seen_subcommand_from read apply grep hash verify undo redo history diff stats recover status judge doctor hook setup schema completions man help" -f -a "read" -d 'Print files, every line as LINE:HASH|content'
complete -c hashline -n "__fish_hashline_using_subcommand help; and not __fish_seen_subcommand_from read apply grep hash verify undo redo history diff stats recover status judge doctor hook setup schema completions man help" -f -a "apply" -d 'Change files by the anchors of their lines: all of a patch, or nothing'
complete -c hashline -n "__fish_hashline_using_subcommand help; and not __fish_seen_subcommand_from read apply grep hash verify undo redo history diff stats recover status judge doctor hook setup schema completions man help" -f -a "grep" -d 'Search files; every line that is printed has its anchor'
complete -c hashline -n "__fish_hashline_using_subcommand help; and not __fish_seen_subcommand_from read apply grep hash verify undo redo history diff stats recover status judge doctor hook setup schema completions man help" -f -a "hash" -d 'Print the tags of a file\'s lines, a line each'
complete -c hashline -n "__fish_hashline_using_subcommand help; and not __fish_seen_subcommand_from read apply grep hash verify undo redo history diff stats recover status judge doctor hook setup schema completions man help" -f -a "verify" -d 'Say whether anchors still fit the lines of a file'
complete -c hashline -n "__fish_hashline_using_subcommand help; and not __fish_seen_subcommand_from read apply grep hash verify undo redo history diff stats recover status judge doctor hook setup schema completions man help" -f -a "undo" -d 'Undo a patch: the last one, or the one that a receipt names'
complete -c hashline -n "__fish_hashline_using_subcommand help; and not __fish_seen_subcommand_from read apply grep hash verify undo redo history diff stats recover status judge doctor hook setup schema completions man help" -f -a "redo" -d 'Redo the patch that was undone last, unless another was made since'
complete -c hashline -n "__fish_hashline_using_subcommand help; and not __fish_seen_subcommand_from read apply grep hash verify undo redo history diff stats recover status judge doctor hook setup schema completions man help" -f -a "history" -d 'List the patches that can be undone, the latest first'
complete -c hashline -n "__fish_hashline_using_subcommand help; and not __fish_seen_subcommand_from read apply grep hash verify undo redo history diff stats recover status judge doctor hook setup schema completions man help" -f -a "diff" -d 'Print what has changed since before a patch: the last one, or the one a receipt names'
complete -c hashline -n "__fish_hashline_using_subcommand help; and not __fish_seen_subcommand_from read apply grep hash verify undo redo history diff stats recover status judge doctor hook setup schema completions man help" -f -a "stats" -d 'Say what hashline has done for you, in numbers'
complete -c hashline -n "__fish_hashline_using_subcommand help; and not __fish_seen_subcommand_from read apply grep hash verify undo redo history diff stats recover status judge doctor hook setup schema completions man help" -f -a "recover" -d 'Finish or undo what an interrupted patch left behind'
complete -c hashline -n "__fish_hashline_using_subcommand help; and not __fish_seen_subcommand_from read apply grep hash verify undo redo history diff stats recover status judge doctor hook setup schema completions man help" -f -a "status" -d 'Say where the workspace, its settings and its state are'
complete -c hashline -n "__fish_hashline_using_subcommand help; and not __fish_seen_subcommand_from read apply grep hash verify undo redo history diff stats recover status judge doctor hook setup schema completions man help" -f -a "judge" -d 'Judge a shell command without running it: exit 0 to allow, 1 to block'
complete -c hashline -n "__fish_hashline_using_subcommand help; and not __fish_seen_subcommand_from read apply grep hash verify undo redo history diff stats recover status judge doctor hook setup schema completions man help" -f -a "doctor" -d 'Check the installation'
complete -c hashline -n "__fish_hashline_using_subcommand help; and not __fish_seen_subcommand_from read apply grep hash verify undo redo history diff stats recover status judge doctor hook setup schema completions man help" -f -a "hook" -d 'Answer a coding agent\'s hook on standard input and output'
complete -c hashline -n "__fish_hashline_using_subcommand help; and not __fish_seen_subcommand_from read apply grep hash verify undo redo history diff stats recover status judge doctor hook setup schema completions man help" -f -a "setup" -d 'Set an agent up to use this program: permission, hooks, instructions'
complete -c hashline -n "__fish_hashline_using_subcommand help; and not __fish_seen_subcommand_from read apply grep hash verify undo redo history diff stats recover status judge doctor hook setup schema completions man help" -f -a "schema" -d 'Print the JSON schema of a tool'
complete -c hashline -n "__fish_hashline_using_subcommand help; and not __fish_seen_subcommand_from read apply grep hash verify undo redo history diff stats recover status judge doctor hook setup schema completions man help" -f -a "completions" -d 'Print the completions of a shell'
complete -c hashline -n "__fish_hashline_using_subcommand help; and not __fish_seen_subcommand_from read apply grep hash verify undo redo history diff stats recover status judge doctor hook setup schema completions man help" -f -a "man" -d 'Write the man pages into a directory'
complete -c hashline -n "__fish_hashline_using_subcommand help; and not __fish_seen_subcommand_from read apply grep hash verify undo redo history diff stats recover status judge doctor hook setup schema completions man help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
