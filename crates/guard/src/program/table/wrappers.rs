//! Programs that run another program.

use super::super::{interpreter, run, walk};
use super::Rule::{EachScript, ScriptOption, Wrap, WrapAfter, WrapScript};
use super::{Row, Rule, row, wrap};

/// Programs that run another program.
pub(crate) const WRAPPERS: &[Row] = &[
    wrap(
        "nohup setsid unbuffer chronic busybox toybox catchsegv eatmydata linux64 linux32 i386 \
         x86_64 pkexec nocache ifne grc winpty proxychains proxychains4 torsocks tsocks \
         dbus-run-session dbus-launch noglob nocorrect heaptrack torify fakechroot tini \
         dumb-init catatonit lckdo",
        "",
        "",
        Wrap(0),
    ),
    wrap("time gtime", "fo", "format output", Wrap(0)),
    wrap("strace ltrace", "aeopsubISPEUX", "output trace signal user", Wrap(0)),
    wrap("nice gnice", "n", "adjustment", Wrap(0)),
    wrap("ionice", "cnpPu", "class classdata", Wrap(0)),
    wrap("stdbuf gstdbuf", "ioe", "input output error", Wrap(0)),
    wrap("doas", "uC", "", Wrap(0)),
    wrap("fakeroot", "lfib", "lib faked", Wrap(0)),
    wrap("firejail bwrap valgrind entr", "", "tool bind ro-bind dev proc", Wrap(0)),
    wrap("unshare nsenter", "tSGRw", "target setuid setgid root wd", Wrap(0)),
    wrap(
        "setpriv prlimit numactl choom runcon caffeinate",
        "nptuwCmNil",
        "reuid regid membind cpunodebind physcpubind",
        Wrap(0),
    ),
    wrap("cgexec softlimit chpst cpulimit trickle schedtool", "gacdflmoprstuenib", "", Wrap(0)),
    wrap(
        "systemd-run systemd-inhibit",
        "uptEH",
        "unit property setenv working-directory uid gid what who why",
        Wrap(0),
    ),
    wrap("xvfb-run", "nsefpw", "server-args server-num", Wrap(0)),
    wrap("rlwrap", "bcfHPps", "", Wrap(0)),
    wrap("watchexec", "wefisd", "watch exts filter ignore", Wrap(0)),
    wrap("start-stop-daemon daemonize", "aceopulx", "exec pidfile chdir", Wrap(0)),
    wrap("dotenv dotenvx retry noti", "efdtm", "env-file file delay times", Wrap(0)),
    wrap("timeout gtimeout", "ks", "kill-after signal", Wrap(1)),
    wrap(
        "taskset chrt chroot setarch gosu su-exec faketime envdir setuidgid perf rr \
         qemu-x86_64 qemu-aarch64",
        "gGe",
        "userspec groups",
        Wrap(1),
    ),
    wrap("flock", "wE", "timeout wait conflict-exit-code", Rule::Runs(run::flock)),
    wrap("sudo", "ughpCDRTrtU", "user group host prompt chdir chroot", Rule::Runs(run::sudo)),
    wrap("env genv", "uCS", "unset chdir split-string", Rule::Runs(run::env)),
    wrap("watch gwatch", "n", "interval", WrapScript),
    row(
        "hyperfine concurrently",
        "wrMmpSLn",
        "warmup runs prepare shell setup cleanup names",
        EachScript,
    ),
    row("nodemon", "xwei", "exec watch ext", ScriptOption("x exec")),
    wrap("npx bunx", "cp", "call package", Rule::Runs(run::package_runner)),
    wrap("npm", "cp", "call package", Rule::Runs(run::package_runner)),
    row("tmux screen", "tcnsSXpFfL", "", Rule::Runs(run::terminal)),
    row("rails mix", "e", "eval environment", Rule::Runs(interpreter::runner)),
    row("go", "", "", Rule::Runs(interpreter::go)),
    row("nix-shell", "pAI", "run command packages", ScriptOption("run command")),
    wrap(
        "poetry pipenv uv pdm hatch rye conda mamba micromamba doppler infisical op volta pixi",
        "np",
        "name prefix project directory with python env env-file",
        WrapAfter("run"),
    ),
    wrap(
        "bundle bundler rbenv pyenv nodenv asdf mise pnpm yarn direnv fnm nvm aws-vault opam \
         stack",
        "C",
        "using dir filter",
        WrapAfter("exec dlx"),
    ),
    wrap(
        "xargs gxargs",
        "aEILnPsd",
        "arg-file delimiter max-args max-procs max-chars process-slot-var",
        Rule::Runs(walk::xargs),
    ),
    wrap(
        "parallel gparallel",
        "jaNnIPLSd",
        "jobs arg-file colsep delay results joblog timeout retries delimiter max-args load \
         memfree",
        Rule::Runs(walk::parallel),
    ),
    row("find gfind bfs", "", "", Rule::Runs(walk::find)),
    row(
        "fd fdfind",
        "eEtdSjco",
        "extension exclude type max-depth size threads color base-directory search-path \
         changed-within changed-before owner",
        Rule::Runs(walk::fd),
    ),
    row("su runuser", "cgGsuw", "command shell group user", Rule::Runs(run::su)),
    row(
        "tar bsdtar gtar",
        "ICfTXHbgK",
        "to-command checkpoint-action use-compress-program directory file rsh-command",
        Rule::Runs(run::tar),
    ),
    wrap(SHELLS, "oO", "rcfile init-file", Rule::Runs(run::nested_shell)),
];

/// Shells, and programs that take a shell script from standard input.
pub(crate) const SHELLS: &str = "sh bash dash zsh ksh ksh93 mksh ash rbash fish csh tcsh yash oksh hush posh osh brush at \
     batch";
