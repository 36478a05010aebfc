
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'hashline' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'hashline'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'hashline' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The workspace; by default the repository around the current directory, or that directory')
            [CompletionResult]::new('--scheme', '--scheme', [CompletionResultType]::ParameterName, 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Which agent this is: each remembers only what itself was shown')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set')
            [CompletionResult]::new('--no-memory', '--no-memory', [CompletionResultType]::ParameterName, 'Neither use nor keep what was shown')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Print on a terminal without a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('read', 'read', [CompletionResultType]::ParameterValue, 'Print files, every line as LINE:HASH|content')
            [CompletionResult]::new('apply', 'apply', [CompletionResultType]::ParameterValue, 'Change files by the anchors of their lines: all of a patch, or nothing')
            [CompletionResult]::new('grep', 'grep', [CompletionResultType]::ParameterValue, 'Search files; every line that is printed has its anchor')
            [CompletionResult]::new('hash', 'hash', [CompletionResultType]::ParameterValue, 'Print the tags of a file''s lines, a line each')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Say whether anchors still fit the lines of a file')
            [CompletionResult]::new('undo', 'undo', [CompletionResultType]::ParameterValue, 'Undo a patch: the last one, or the one that a receipt names')
            [CompletionResult]::new('redo', 'redo', [CompletionResultType]::ParameterValue, 'Redo the patch that was undone last, unless another was made since')
            [CompletionResult]::new('history', 'history', [CompletionResultType]::ParameterValue, 'List the patches that can be undone, the latest first')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'Print what has changed since before a patch: the last one, or the one a receipt names')
            [CompletionResult]::new('stats', 'stats', [CompletionResultType]::ParameterValue, 'Say what hashline has done for you, in numbers')
            [CompletionResult]::new('recover', 'recover', [CompletionResultType]::ParameterValue, 'Finish or undo what an interrupted patch left behind')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Say where the workspace, its settings and its state are')
            [CompletionResult]::new('judge', 'judge', [CompletionResultType]::ParameterValue, 'Judge a shell command without running it: exit 0 to allow, 1 to block')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Check the installation')
            [CompletionResult]::new('hook', 'hook', [CompletionResultType]::ParameterValue, 'Answer a coding agent''s hook on standard input and output')
            [CompletionResult]::new('setup', 'setup', [CompletionResultType]::ParameterValue, 'Set an agent up to use this program: permission, hooks, instructions')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'Print the JSON schema of a tool')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print the completions of a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Write the man pages into a directory')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'hashline;read' {
            [CompletionResult]::new('--start-line', '--start-line', [CompletionResultType]::ParameterName, 'The first line to print, counted from 1')
            [CompletionResult]::new('--lines', '--lines', [CompletionResultType]::ParameterName, 'How many lines to print')
            [CompletionResult]::new('--chunk-lines', '--chunk-lines', [CompletionResultType]::ParameterName, 'The most lines written at once')
            [CompletionResult]::new('--chunk-bytes', '--chunk-bytes', [CompletionResultType]::ParameterName, 'The most bytes written at once; a longer row is written by itself')
            [CompletionResult]::new('--max-lines', '--max-lines', [CompletionResultType]::ParameterName, 'Stop after this many lines of each file')
            [CompletionResult]::new('--max-bytes', '--max-bytes', [CompletionResultType]::ParameterName, 'Stop after this many bytes of each file''s rows')
            [CompletionResult]::new('--search', '--search', [CompletionResultType]::ParameterName, 'Print only the lines that hold this text')
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The workspace; by default the repository around the current directory, or that directory')
            [CompletionResult]::new('--scheme', '--scheme', [CompletionResultType]::ParameterName, 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Which agent this is: each remembers only what itself was shown')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set')
            [CompletionResult]::new('--changes', '--changes', [CompletionResultType]::ParameterName, 'Print only what changed since the file was last printed in this workspace')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print an object a line: path, line, tag, text')
            [CompletionResult]::new('--no-memory', '--no-memory', [CompletionResultType]::ParameterName, 'Neither use nor keep what was shown')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Print on a terminal without a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'hashline;apply' {
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'Read the patch from a file; `-` is standard input, which is also the default')
            [CompletionResult]::new('--base64', '--base64', [CompletionResultType]::ParameterName, 'The patch itself, in base64')
            [CompletionResult]::new('--fd', '--fd', [CompletionResultType]::ParameterName, 'Read the patch from an open file descriptor')
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The workspace; by default the repository around the current directory, or that directory')
            [CompletionResult]::new('--scheme', '--scheme', [CompletionResultType]::ParameterName, 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Which agent this is: each remembers only what itself was shown')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set')
            [CompletionResult]::new('--emit-updated', '--emit-updated', [CompletionResultType]::ParameterName, 'Print only the fresh anchors of what changed')
            [CompletionResult]::new('--print', '--print', [CompletionResultType]::ParameterName, 'Print the changed files')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Say what would be done, and do nothing')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the outcome, or the error, as JSON')
            [CompletionResult]::new('--no-relocate', '--no-relocate', [CompletionResultType]::ParameterName, 'Refuse anchors whose line has moved')
            [CompletionResult]::new('--allow-outside', '--allow-outside', [CompletionResultType]::ParameterName, 'Allow files outside the workspace')
            [CompletionResult]::new('--no-memory', '--no-memory', [CompletionResultType]::ParameterName, 'Neither use nor keep what was shown')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Print on a terminal without a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'hashline;grep' {
            [CompletionResult]::new('-e', '-e', [CompletionResultType]::ParameterName, 'Search for this pattern, too; what follows are paths')
            [CompletionResult]::new('--regexp', '--regexp', [CompletionResultType]::ParameterName, 'Search for this pattern, too; what follows are paths')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'Lines to print after each match')
            [CompletionResult]::new('--after-context', '--after-context', [CompletionResultType]::ParameterName, 'Lines to print after each match')
            [CompletionResult]::new('-B', '-B ', [CompletionResultType]::ParameterName, 'Lines to print before each match')
            [CompletionResult]::new('--before-context', '--before-context', [CompletionResultType]::ParameterName, 'Lines to print before each match')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Lines to print on both sides of each match')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Lines to print on both sides of each match')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'Search only files that fit this pattern of names; `!` in front leaves them out')
            [CompletionResult]::new('--glob', '--glob', [CompletionResultType]::ParameterName, 'Search only files that fit this pattern of names; `!` in front leaves them out')
            [CompletionResult]::new('--include', '--include', [CompletionResultType]::ParameterName, 'Search only files that fit this pattern of names; `!` in front leaves them out')
            [CompletionResult]::new('--exclude', '--exclude', [CompletionResultType]::ParameterName, 'Leave out files that fit this pattern of names')
            [CompletionResult]::new('--exclude-dir', '--exclude-dir', [CompletionResultType]::ParameterName, 'Leave out files that fit this pattern of names')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Search only files of this type, such as rust or js')
            [CompletionResult]::new('--type', '--type', [CompletionResultType]::ParameterName, 'Search only files of this type, such as rust or js')
            [CompletionResult]::new('-m', '-m', [CompletionResultType]::ParameterName, 'The most matching lines of each file')
            [CompletionResult]::new('--max-count', '--max-count', [CompletionResultType]::ParameterName, 'The most matching lines of each file')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'The most matching lines to print; all by default')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Files come in the order of their paths, whatever is asked for')
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The workspace; by default the repository around the current directory, or that directory')
            [CompletionResult]::new('--scheme', '--scheme', [CompletionResultType]::ParameterName, 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Which agent this is: each remembers only what itself was shown')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Ignore case')
            [CompletionResult]::new('--ignore-case', '--ignore-case', [CompletionResultType]::ParameterName, 'Ignore case')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Case matters, as it does by default')
            [CompletionResult]::new('--case-sensitive', '--case-sensitive', [CompletionResultType]::ParameterName, 'Case matters, as it does by default')
            [CompletionResult]::new('-S', '-S ', [CompletionResultType]::ParameterName, 'Ignore case unless the pattern has a capital letter')
            [CompletionResult]::new('--smart-case', '--smart-case', [CompletionResultType]::ParameterName, 'Ignore case unless the pattern has a capital letter')
            [CompletionResult]::new('-F', '-F ', [CompletionResultType]::ParameterName, 'The pattern is plain text')
            [CompletionResult]::new('--fixed-strings', '--fixed-strings', [CompletionResultType]::ParameterName, 'The pattern is plain text')
            [CompletionResult]::new('-E', '-E ', [CompletionResultType]::ParameterName, 'The pattern is a regular expression, as it is by default')
            [CompletionResult]::new('--extended-regexp', '--extended-regexp', [CompletionResultType]::ParameterName, 'The pattern is a regular expression, as it is by default')
            [CompletionResult]::new('-P', '-P ', [CompletionResultType]::ParameterName, 'Refused: there are no look-around and no back-references')
            [CompletionResult]::new('--perl-regexp', '--perl-regexp', [CompletionResultType]::ParameterName, 'Refused: there are no look-around and no back-references')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Match whole words only')
            [CompletionResult]::new('--word-regexp', '--word-regexp', [CompletionResultType]::ParameterName, 'Match whole words only')
            [CompletionResult]::new('-x', '-x', [CompletionResultType]::ParameterName, 'Match whole lines only')
            [CompletionResult]::new('--line-regexp', '--line-regexp', [CompletionResultType]::ParameterName, 'Match whole lines only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print the lines that do not match')
            [CompletionResult]::new('--invert-match', '--invert-match', [CompletionResultType]::ParameterName, 'Print the lines that do not match')
            [CompletionResult]::new('-U', '-U ', [CompletionResultType]::ParameterName, 'A match may span several lines')
            [CompletionResult]::new('--multiline', '--multiline', [CompletionResultType]::ParameterName, 'A match may span several lines')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Print whole lines all the same: an anchor belongs to a line')
            [CompletionResult]::new('--only-matching', '--only-matching', [CompletionResultType]::ParameterName, 'Print whole lines all the same: an anchor belongs to a line')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'Print only the names of the files that match')
            [CompletionResult]::new('--files-with-matches', '--files-with-matches', [CompletionResultType]::ParameterName, 'Print only the names of the files that match')
            [CompletionResult]::new('-L', '-L ', [CompletionResultType]::ParameterName, 'Print only the names of the files that do not match')
            [CompletionResult]::new('--files-without-match', '--files-without-match', [CompletionResultType]::ParameterName, 'Print only the names of the files that do not match')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Print only how many lines match in each file')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Print only how many lines match in each file')
            [CompletionResult]::new('--files', '--files', [CompletionResultType]::ParameterName, 'Print only the names of the files that would be searched; there is no pattern then')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing: the exit code says whether anything was found')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing: the exit code says whether anything was found')
            [CompletionResult]::new('-u', '-u', [CompletionResultType]::ParameterName, 'Search files that .gitignore names, too; twice, hidden files as well')
            [CompletionResult]::new('--unrestricted', '--unrestricted', [CompletionResultType]::ParameterName, 'Search files that .gitignore names, too; twice, hidden files as well')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'Search hidden files too')
            [CompletionResult]::new('--no-hidden', '--no-hidden', [CompletionResultType]::ParameterName, 'Leave hidden files out, as by default')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'Search files that .gitignore names too')
            [CompletionResult]::new('--ignore', '--ignore', [CompletionResultType]::ParameterName, 'Leave out what .gitignore names, as by default')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Accepted: lines have their numbers, files their names, and directories are searched through')
            [CompletionResult]::new('--line-number', '--line-number', [CompletionResultType]::ParameterName, 'Accepted: lines have their numbers, files their names, and directories are searched through')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the outcome as JSON')
            [CompletionResult]::new('--no-memory', '--no-memory', [CompletionResultType]::ParameterName, 'Neither use nor keep what was shown')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Print on a terminal without a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'hashline;hash' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The workspace; by default the repository around the current directory, or that directory')
            [CompletionResult]::new('--scheme', '--scheme', [CompletionResultType]::ParameterName, 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Which agent this is: each remembers only what itself was shown')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set')
            [CompletionResult]::new('--no-memory', '--no-memory', [CompletionResultType]::ParameterName, 'Neither use nor keep what was shown')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Print on a terminal without a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'hashline;verify' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The workspace; by default the repository around the current directory, or that directory')
            [CompletionResult]::new('--scheme', '--scheme', [CompletionResultType]::ParameterName, 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Which agent this is: each remembers only what itself was shown')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set')
            [CompletionResult]::new('--no-memory', '--no-memory', [CompletionResultType]::ParameterName, 'Neither use nor keep what was shown')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Print on a terminal without a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'hashline;undo' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The workspace; by default the repository around the current directory, or that directory')
            [CompletionResult]::new('--scheme', '--scheme', [CompletionResultType]::ParameterName, 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Which agent this is: each remembers only what itself was shown')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set')
            [CompletionResult]::new('--others', '--others', [CompletionResultType]::ParameterName, 'Skip files that have changed since, and undo the others')
            [CompletionResult]::new('--list', '--list', [CompletionResultType]::ParameterName, 'List the patches that are kept, the latest first')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the outcome as JSON')
            [CompletionResult]::new('--no-memory', '--no-memory', [CompletionResultType]::ParameterName, 'Neither use nor keep what was shown')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Print on a terminal without a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'hashline;redo' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The workspace; by default the repository around the current directory, or that directory')
            [CompletionResult]::new('--scheme', '--scheme', [CompletionResultType]::ParameterName, 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Which agent this is: each remembers only what itself was shown')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the outcome as JSON')
            [CompletionResult]::new('--no-memory', '--no-memory', [CompletionResultType]::ParameterName, 'Neither use nor keep what was shown')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Print on a terminal without a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'hashline;history' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The workspace; by default the repository around the current directory, or that directory')
            [CompletionResult]::new('--scheme', '--scheme', [CompletionResultType]::ParameterName, 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Which agent this is: each remembers only what itself was shown')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set')
            [CompletionResult]::new('--no-memory', '--no-memory', [CompletionResultType]::ParameterName, 'Neither use nor keep what was shown')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Print on a terminal without a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'hashline;diff' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The workspace; by default the repository around the current directory, or that directory')
            [CompletionResult]::new('--scheme', '--scheme', [CompletionResultType]::ParameterName, 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Which agent this is: each remembers only what itself was shown')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set')
            [CompletionResult]::new('--no-memory', '--no-memory', [CompletionResultType]::ParameterName, 'Neither use nor keep what was shown')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Print on a terminal without a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'hashline;stats' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The workspace; by default the repository around the current directory, or that directory')
            [CompletionResult]::new('--scheme', '--scheme', [CompletionResultType]::ParameterName, 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Which agent this is: each remembers only what itself was shown')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the numbers as JSON')
            [CompletionResult]::new('--no-memory', '--no-memory', [CompletionResultType]::ParameterName, 'Neither use nor keep what was shown')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Print on a terminal without a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'hashline;recover' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The workspace; by default the repository around the current directory, or that directory')
            [CompletionResult]::new('--scheme', '--scheme', [CompletionResultType]::ParameterName, 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Which agent this is: each remembers only what itself was shown')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set')
            [CompletionResult]::new('--set-aside', '--set-aside', [CompletionResultType]::ParameterName, 'Put journals aside that can be neither finished nor undone')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the outcome as JSON')
            [CompletionResult]::new('--no-memory', '--no-memory', [CompletionResultType]::ParameterName, 'Neither use nor keep what was shown')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Print on a terminal without a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'hashline;status' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The workspace; by default the repository around the current directory, or that directory')
            [CompletionResult]::new('--scheme', '--scheme', [CompletionResultType]::ParameterName, 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Which agent this is: each remembers only what itself was shown')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set')
            [CompletionResult]::new('--no-memory', '--no-memory', [CompletionResultType]::ParameterName, 'Neither use nor keep what was shown')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Print on a terminal without a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'hashline;judge' {
            [CompletionResult]::new('--cwd', '--cwd', [CompletionResultType]::ParameterName, 'The directory that the command would run in')
            [CompletionResult]::new('--shell', '--shell', [CompletionResultType]::ParameterName, 'The shell that the command is for')
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The workspace; by default the repository around the current directory, or that directory')
            [CompletionResult]::new('--scheme', '--scheme', [CompletionResultType]::ParameterName, 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Which agent this is: each remembers only what itself was shown')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the verdict as JSON')
            [CompletionResult]::new('--no-memory', '--no-memory', [CompletionResultType]::ParameterName, 'Neither use nor keep what was shown')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Print on a terminal without a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'hashline;doctor' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The workspace; by default the repository around the current directory, or that directory')
            [CompletionResult]::new('--scheme', '--scheme', [CompletionResultType]::ParameterName, 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Which agent this is: each remembers only what itself was shown')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set')
            [CompletionResult]::new('--simulate', '--simulate', [CompletionResultType]::ParameterName, 'Feed sample events through the installed hook and report what it answers')
            [CompletionResult]::new('--no-memory', '--no-memory', [CompletionResultType]::ParameterName, 'Neither use nor keep what was shown')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Print on a terminal without a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'hashline;hook' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The workspace; by default the repository around the current directory, or that directory')
            [CompletionResult]::new('--scheme', '--scheme', [CompletionResultType]::ParameterName, 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Which agent this is: each remembers only what itself was shown')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set')
            [CompletionResult]::new('--no-memory', '--no-memory', [CompletionResultType]::ParameterName, 'Neither use nor keep what was shown')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Print on a terminal without a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'hashline;setup' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The workspace; by default the repository around the current directory, or that directory')
            [CompletionResult]::new('--scheme', '--scheme', [CompletionResultType]::ParameterName, 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Which agent this is: each remembers only what itself was shown')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would change, and change nothing')
            [CompletionResult]::new('--global', '--global', [CompletionResultType]::ParameterName, 'For all of your projects: in your home directory instead of this workspace')
            [CompletionResult]::new('--remove', '--remove', [CompletionResultType]::ParameterName, 'Take out what an earlier setup put in')
            [CompletionResult]::new('--no-memory', '--no-memory', [CompletionResultType]::ParameterName, 'Neither use nor keep what was shown')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Print on a terminal without a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'hashline;schema' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The workspace; by default the repository around the current directory, or that directory')
            [CompletionResult]::new('--scheme', '--scheme', [CompletionResultType]::ParameterName, 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Which agent this is: each remembers only what itself was shown')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set')
            [CompletionResult]::new('--no-memory', '--no-memory', [CompletionResultType]::ParameterName, 'Neither use nor keep what was shown')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Print on a terminal without a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'hashline;completions' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The workspace; by default the repository around the current directory, or that directory')
            [CompletionResult]::new('--scheme', '--scheme', [CompletionResultType]::ParameterName, 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Which agent this is: each remembers only what itself was shown')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set')
            [CompletionResult]::new('--no-memory', '--no-memory', [CompletionResultType]::ParameterName, 'Neither use nor keep what was shown')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Print on a terminal without a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'hashline;man' {
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The workspace; by default the repository around the current directory, or that directory')
            [CompletionResult]::new('--scheme', '--scheme', [CompletionResultType]::ParameterName, 'How lines are tagged: hex2, base26, context, omp, cid or fnv1a')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Which agent this is: each remembers only what itself was shown')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Whether output has colours; by default on a terminal, unless `NO_COLOR` is set')
            [CompletionResult]::new('--no-memory', '--no-memory', [CompletionResultType]::ParameterName, 'Neither use nor keep what was shown')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Print on a terminal without a pager')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'hashline;help' {
            [CompletionResult]::new('read', 'read', [CompletionResultType]::ParameterValue, 'Print files, every line as LINE:HASH|content')
            [CompletionResult]::new('apply', 'apply', [CompletionResultType]::ParameterValue, 'Change files by the anchors of their lines: all of a patch, or nothing')
            [CompletionResult]::new('grep', 'grep', [CompletionResultType]::ParameterValue, 'Search files; every line that is printed has its anchor')
            [CompletionResult]::new('hash', 'hash', [CompletionResultType]::ParameterValue, 'Print the tags of a file''s lines, a line each')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Say whether anchors still fit the lines of a file')
            [CompletionResult]::new('undo', 'undo', [CompletionResultType]::ParameterValue, 'Undo a patch: the last one, or the one that a receipt names')
            [CompletionResult]::new('redo', 'redo', [CompletionResultType]::ParameterValue, 'Redo the patch that was undone last, unless another was made since')
            [CompletionResult]::new('history', 'history', [CompletionResultType]::ParameterValue, 'List the patches that can be undone, the latest first')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'Print what has changed since before a patch: the last one, or the one a receipt names')
            [CompletionResult]::new('stats', 'stats', [CompletionResultType]::ParameterValue, 'Say what hashline has done for you, in numbers')
            [CompletionResult]::new('recover', 'recover', [CompletionResultType]::ParameterValue, 'Finish or undo what an interrupted patch left behind')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Say where the workspace, its settings and its state are')
            [CompletionResult]::new('judge', 'judge', [CompletionResultType]::ParameterValue, 'Judge a shell command without running it: exit 0 to allow, 1 to block')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Check the installation')
            [CompletionResult]::new('hook', 'hook', [CompletionResultType]::ParameterValue, 'Answer a coding agent''s hook on standard input and output')
            [CompletionResult]::new('setup', 'setup', [CompletionResultType]::ParameterValue, 'Set an agent up to use this program: permission, hooks, instructions')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'Print the JSON schema of a tool')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print the completions of a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Write the man pages into a directory')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'hashline;help;read' {
            break
        }
        'hashline;help;apply' {
            break
        }
        'hashline;help;grep' {
            break
        }
        'hashline;help;hash' {
            break
        }
        'hashline;help;verify' {
            break
        }
        'hashline;help;undo' {
            break
        }
        'hashline;help;redo' {
            break
        }
        'hashline;help;history' {
            break
        }
        'hashline;help;diff' {
            break
        }
        'hashline;help;stats' {
            break
        }
        'hashline;help;recover' {
            break
        }
        'hashline;help;status' {
            break
        }
        'hashline;help;judge' {
            break
        }
        'hashline;help;doctor' {
            break
        }
        'hashline;help;hook' {
            break
        }
        'hashline;help;setup' {
            break
        }
        'hashline;help;schema' {
            break
        }
        'hashline;help;completions' {
            break
        }
        'hashline;help;man' {
            break
        }
        'hashline;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
