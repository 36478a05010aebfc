//! Programs that run another program.

use super::super::{interpreter, run, walk};
use super::Rule::{EachScript, Runs, ScriptOption, Wrap, WrapAfter, WrapScript};
use super::{Row, first, options, rows};

/// Programs that run another program.
pub(crate) const WRAPPERS: &[Row] = rows! {
    "nohup setsid unbuffer chronic busybox toybox catchsegv eatmydata linux64 linux32 i386 x86_64 \
     pkexec nocache ifne grc winpty proxychains proxychains4 torsocks tsocks dbus-run-session \
     dbus-launch noglob nocorrect heaptrack torify fakechroot tini dumb-init catatonit lckdo"
        first("", "") => Wrap(0);
    "time gtime" first("fo", "format output") => Wrap(0);
    "strace ltrace" first("aeopsubISPEUX", "output trace signal user") => Wrap(0);
    "nice gnice" first("n", "adjustment") => Wrap(0);
    "ionice" first("cnpPu", "class classdata") => Wrap(0);
    "stdbuf gstdbuf" first("ioe", "input output error") => Wrap(0);
    "doas" first("uC", "") => Wrap(0);
    "fakeroot" first("lfib", "lib faked") => Wrap(0);
    "firejail bwrap valgrind entr" first("", "tool bind ro-bind dev proc") => Wrap(0);
    "unshare nsenter" first("tSGRw", "target setuid setgid root wd") => Wrap(0);
    "setpriv prlimit numactl choom runcon caffeinate"
        first("nptuwCmNil", "reuid regid membind cpunodebind physcpubind") => Wrap(0);
    "cgexec softlimit chpst cpulimit trickle schedtool" first("gacdflmoprstuenib", "") => Wrap(0);
    "systemd-run systemd-inhibit"
        first("uptEH", "unit property setenv working-directory uid gid what who why") => Wrap(0);
    "xvfb-run" first("nsefpw", "server-args server-num") => Wrap(0);
    "rlwrap" first("bcfHPps", "") => Wrap(0);
    "watchexec" first("wefisd", "watch exts filter ignore") => Wrap(0);
    "start-stop-daemon daemonize" first("aceopulx", "exec pidfile chdir") => Wrap(0);
    "dotenv dotenvx retry noti" first("efdtm", "env-file file delay times") => Wrap(0);
    "timeout gtimeout" first("ks", "kill-after signal") => Wrap(1);
    "taskset chrt chroot setarch gosu su-exec faketime envdir setuidgid perf rr qemu-x86_64 \
     qemu-aarch64" first("gGe", "userspec groups") => Wrap(1);
    "flock" first("wE", "timeout wait conflict-exit-code") => Runs(run::flock);
    "sudo" first("ughpCDRTrtU", "user group host prompt chdir chroot") => Runs(run::sudo);
    "env genv" first("uCS", "unset chdir split-string") => Runs(run::env);
    "watch gwatch" first("n", "interval") => WrapScript;
    "hyperfine concurrently"
        options("wrMmpSLn", "warmup runs prepare shell setup cleanup names") => EachScript;
    "nodemon" options("xwei", "exec watch ext") => ScriptOption("x exec");
    "npx bunx" first("cp", "call package") => Runs(run::package_runner);
    "npm" first("cpC", "call package prefix") => Runs(run::package_runner);
    "tmux screen" options("tcnsSXpFfL", "") => Runs(run::terminal);
    "rails mix" options("e", "eval environment") => Runs(interpreter::runner);
    "go" options("", "") => Runs(interpreter::go);
    "nix-shell" options("pAI", "run command packages") => ScriptOption("run command");
    "poetry pipenv uv pdm hatch rye conda mamba micromamba doppler infisical op volta pixi"
        first("np", "name prefix project directory with python env env-file") => WrapAfter("run");
    "bundle bundler rbenv pyenv nodenv asdf mise pnpm yarn direnv fnm nvm aws-vault opam stack"
        first("C", "using dir filter") => WrapAfter("exec dlx");
    "xargs gxargs"
        first("aEILnPsd", "arg-file delimiter max-args max-procs max-chars process-slot-var")
            => Runs(walk::xargs);
    "parallel gparallel"
        first("jaNnIPLSd", "jobs arg-file colsep delay results joblog timeout retries delimiter \
            max-args load memfree") => Runs(walk::parallel);
    "find gfind bfs" options("", "") => Runs(walk::find);
    "fd fdfind"
        options("eEtdSjco", "extension exclude type max-depth size threads color base-directory \
            search-path changed-within changed-before owner") => Runs(walk::fd);
    "su runuser" options("cgGsuw", "command shell group user") => Runs(run::su);
    "tar bsdtar gtar"
        options("ICfTXHbgK", "to-command checkpoint-action use-compress-program directory file \
            rsh-command") => ScriptOption("to-command checkpoint-action use-compress-program I");
    SHELLS first("oO", "rcfile init-file") => Runs(run::nested_shell);
};

/// Shells, and programs that take a shell script from standard input.
pub(crate) const SHELLS: &str = "sh bash dash zsh ksh ksh93 mksh ash rbash fish csh tcsh yash oksh hush posh osh brush at \
     batch";
