//! Simulates power cuts while patches are made, and checks the states that they leave.
//!
//! A run makes a file system on a disk that remembers its writes ([`log_disk`]), and records them
//! while two patches are applied, undone, or recovered. Then it makes the disks that a power cut
//! could have left at any moment ([`cuts`]), mounts and recovers each, and compares it with the
//! trees before and after. It prints a line of figures; the exit code is 1 if a state is not clean.
//!
//! `powerloss --fs=ext4 --writer=full --work=apply|undo|recover [--one] [--noise] [--traffic] [--slow]
//! [--drop=N] [--no-syncs] [--size=400] [--samples=20] [--most=1000] [--seed=1]
//! [--dir=/tmp/powerloss] [--keep]`
//!
//! With `--keep` the disk of each state that is not clean is saved in `--dir` as `<state>.img`, as
//! it was before it was mounted.

mod cuts;
mod log_disk;
mod rig;
mod seam;
mod work;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use cuts::{Dice, acknowledged, cuts};
use hashline_core::session::Durability;
use hashline_core::testing::fs::RealDisk;
use hashline_core::testing::transaction::{DiskChange, FileAction, Transaction};
use log_disk::{Cut, Record};
use rig::{Kind, Result, Rig};
use seam::{FlawedDisk, Flaws};
use work::{Found, Work, Writer, ledger, make, places};

static NEVER: AtomicBool = AtomicBool::new(false);

/// The work during which the power is cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Recorded {
    /// Two patches are applied.
    Apply,
    /// Two patches, which were applied before, are undone.
    Undo,
    /// Two patches are applied; the power is cut again while the first cut is recovered.
    Recover,
}

struct Options {
    kind: Kind,
    writer: Writer,
    recorded: Recorded,
    flaws: Flaws,
    noise: bool,
    /// Whether other programs write, sync and remove files at the same time.
    traffic: bool,
    /// Whether each patch changes one file.
    one: bool,
    size: usize,
    samples: usize,
    most: usize,
    seed: u64,
    directory: PathBuf,
    /// Whether the disks of states that are not clean are saved.
    keep: bool,
}

fn main() -> ExitCode {
    let run = Options::read().and_then(|options| {
        let counts = Run::new(options)?.run()?;
        Ok(counts)
    });
    match run {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("powerloss: {error}");
            ExitCode::from(2)
        }
    }
}

impl Options {
    fn read() -> Result<Self> {
        let mut options = Self {
            kind: Kind::Ext4,
            writer: Writer::Full,
            recorded: Recorded::Apply,
            flaws: Flaws::default(),
            noise: false,
            traffic: false,
            one: false,
            size: 400,
            samples: 20,
            most: 1000,
            seed: 1,
            directory: PathBuf::from("/tmp/powerloss"),
            keep: false,
        };
        for argument in std::env::args().skip(1) {
            let (name, value) = argument.split_once('=').unwrap_or((&argument, ""));
            let number = || value.parse::<usize>().map_err(|error| format!("{argument}: {error}"));
            let unknown = || format!("unknown argument `{argument}`");
            match name {
                "--fs" => options.kind = Kind::named(value).ok_or_else(unknown)?,
                "--writer" => options.writer = Writer::named(value).ok_or_else(unknown)?,
                "--work" => {
                    options.recorded = match value {
                        "apply" => Recorded::Apply,
                        "undo" => Recorded::Undo,
                        "recover" => Recorded::Recover,
                        _ => return Err(unknown()),
                    }
                }
                "--noise" => options.noise = true,
                "--traffic" => options.traffic = true,
                "--one" => options.one = true,
                "--slow" => options.flaws.slow = true,
                "--drop" => options.flaws.dropped_sync = Some(number()?),
                "--no-syncs" => options.flaws.no_syncs = true,
                "--size" => options.size = number()?,
                "--samples" => options.samples = number()?,
                "--most" => options.most = number()?,
                "--seed" => options.seed = number()? as u64,
                "--dir" => options.directory = PathBuf::from(value),
                "--keep" => options.keep = true,
                _ => return Err(unknown()),
            }
        }
        Ok(options)
    }
}

/// How many states of a run had which fault.
#[derive(Default, Debug)]
struct Counts {
    states: usize,
    /// States that, before recovery, were not one of the trees.
    torn_before: usize,
    torn: usize,
    lost: usize,
    litter: usize,
    unreadable: usize,
    left_alone: usize,
    failed: usize,
    not_mounted: usize,
}

struct Run {
    options: Options,
    rig: Rig,
    work: Work,
    root: PathBuf,
    home: PathBuf,
    dice: Dice,
    counts: Counts,
    wrong: Vec<String>,
}

impl Run {
    fn new(options: Options) -> Result<Self> {
        let rig = Rig::new(options.kind, &options.directory)?;
        let (root, home) = places(&rig.mount);
        let work = if options.one { Work::one(options.size) } else { Work::new(options.size) };
        let dice = Dice::new(options.seed);
        let (counts, wrong) = (Counts::default(), Vec::new());
        Ok(Self { options, rig, work, root, home, dice, counts, wrong })
    }

    fn run(mut self) -> Result<bool> {
        let began = Instant::now();
        self.prepare()?;
        let records = self.record()?;
        let cuts = cuts(&records, self.options.most, self.options.samples, &mut self.dice);
        let mut half_way = Vec::new();
        for cut in &cuts {
            let undone = self.examine(cut, self.allowed(&records, cut))?;
            if undone && self.options.recorded == Recorded::Recover {
                half_way.push(cut.clone());
            }
        }
        self.cut_recoveries(&records, &half_way)?;
        self.print(&records, began);
        Ok(self.wrong.is_empty())
    }

    /// Makes the tree in which the recorded work begins.
    fn prepare(&self) -> Result<()> {
        let io = |error: std::io::Error| error.to_string();
        self.rig.mount()?;
        std::fs::create_dir_all(&self.root).map_err(io)?;
        self.work.lay_out(&self.root).map_err(io)?;
        std::fs::create_dir_all(self.home.parent().expect("it has one")).map_err(io)?;
        if self.options.recorded == Recorded::Undo {
            let ledger = ledger(&self.root, &self.home, Arc::new(RealDisk::default()));
            for patch in [1, 2] {
                make(&self.work, patch, Writer::Full, &self.root, &ledger, || {})?;
            }
        }
        self.rig.unmount()
    }

    /// Does the work and records the disk's writes and flushes meanwhile.
    fn record(&self) -> Result<Vec<Record>> {
        self.rig.disk.record();
        self.rig.mount()?;
        let mount = &self.rig.mount;
        let noise = self.options.noise.then(|| Neighbour::noise(mount)).transpose()?;
        let traffic = self.options.traffic.then(|| Neighbour::traffic(mount)).transpose()?;
        let disk = Arc::new(FlawedDisk::new(self.options.flaws));
        let ledger = ledger(&self.root, &self.home, Arc::clone(&disk) as _);
        for patch in [1, 2] {
            if self.options.recorded == Recorded::Undo {
                let writer = ledger.write(Durability::Full, &NEVER).map_err(|f| f.to_string())?;
                writer.undo(None, false).map_err(|refused| refused.to_string())?;
                self.rig.disk.acknowledge(patch);
            } else {
                let acknowledge = || self.rig.disk.acknowledge(patch);
                make(&self.work, patch, self.options.writer, &self.root, &ledger, acknowledge)?;
            }
        }
        drop((ledger, noise, traffic));
        if self.options.flaws != Flaws::default() {
            println!("   {} syncs were asked for", disk.syncs());
        }
        self.rig.sync()?;
        let records = self.rig.disk.stop();
        self.rig.unmount()?;
        Ok(records)
    }

    /// The trees that a cut may leave: the last acknowledged one or any later one.
    fn allowed(&self, records: &[Record], cut: &Cut) -> Vec<usize> {
        let done = acknowledged(records, cut);
        match self.options.recorded {
            Recorded::Undo => (0..=2 - done).collect(),
            Recorded::Apply | Recorded::Recover => (done..=2).collect(),
        }
    }

    /// Checks one state; returns whether recovery undid a patch.
    fn examine(&mut self, cut: &Cut, allowed: Vec<usize>) -> Result<bool> {
        self.counts.states += 1;
        self.rig.disk.cut(cut);
        if let Err(error) = self.rig.mount() {
            self.counts.not_mounted += 1;
            self.complain(cut, &error);
            return Ok(false);
        }
        let wrong = self.wrong.len();
        let undone = self.judge(cut, &allowed);
        self.rig.unmount()?;
        if self.options.keep && self.wrong.len() > wrong {
            self.rig.disk.cut(cut);
            let name = format!("{}.img", self.counts.states);
            self.rig.keep(&self.options.directory.join(name))?;
        }
        Ok(undone)
    }

    fn judge(&mut self, cut: &Cut, allowed: &[usize]) -> bool {
        let before = self.work.classify(&self.root);
        self.counts.torn_before += usize::from(!matches!(before, Ok(Found::Tree(_))));
        let mut undone = false;
        if self.options.writer.is_ours() {
            match self.recover() {
                Ok(recovered) => undone = recovered,
                Err(error) => {
                    self.counts.failed += 1;
                    self.complain(cut, &error);
                }
            }
        }
        match self.work.classify(&self.root) {
            Ok(Found::Tree(tree)) if allowed.contains(&tree) => {}
            Ok(Found::Tree(tree)) => {
                self.counts.lost += 1;
                let fault = format!("data lost: found T{tree}, expected one of {allowed:?}");
                self.complain(cut, &fault);
            }
            Ok(Found::Litter(text)) => {
                self.counts.litter += 1;
                self.complain(cut, &format!("litter: {text}"));
            }
            Ok(Found::Torn(text)) => {
                self.counts.torn += 1;
                self.complain(cut, &format!("torn: {text}, before recovery {before:?}"));
            }
            Err(error) => {
                self.counts.failed += 1;
                self.complain(cut, &error.to_string());
            }
        }
        if self.options.writer.is_ours()
            && let Err(error) = self.next_patch()
        {
            self.counts.failed += 1;
            self.complain(cut, &format!("the next patch fails: {error}"));
        }
        undone
    }

    /// Recovers twice; the second time there must be nothing to do.
    fn recover(&mut self) -> Result<bool> {
        let ledger = ledger(&self.root, &self.home, Arc::new(RealDisk::default()));
        let writer = ledger.write(Durability::Full, &NEVER).map_err(|fault| fault.to_string())?;
        let recovery = writer.recovery();
        let undone = !recovery.undone.is_empty();
        self.counts.unreadable += recovery.unreadable.len();
        self.counts.left_alone += recovery.left_alone.len();
        let clean = recovery.unreadable.is_empty() && recovery.left_alone.is_empty();
        let said = format!("{recovery:?}");
        drop(writer);
        if !clean {
            return Err(said);
        }
        let writer = ledger.write(Durability::Full, &NEVER).map_err(|fault| fault.to_string())?;
        if writer.recovery().is_empty() {
            Ok(undone)
        } else {
            Err("a second recovery is not clean".to_owned())
        }
    }

    fn next_patch(&self) -> Result<()> {
        let ledger = ledger(&self.root, &self.home, Arc::new(RealDisk::default()));
        let writer = ledger.write(Durability::Fast, &NEVER).map_err(|fault| fault.to_string())?;
        let then = FileAction::Put(b"next\n".to_vec().into());
        let change =
            DiskChange { path: self.root.join("next.txt"), expected: None, then, like: None };
        writer.commit(&Transaction::new(vec![change])).map(|_| ()).map_err(|f| f.to_string())
    }

    /// Cuts the power again while an interrupted patch is being recovered.
    fn cut_recoveries(&mut self, records: &[Record], half_way: &[Cut]) -> Result<()> {
        const MAX_CUTS: usize = 12;
        for outer in half_way.iter().step_by(half_way.len().div_ceil(MAX_CUTS).max(1)) {
            let allowed = self.allowed(records, outer);
            self.rig.disk.cut(outer);
            self.rig.disk.record();
            self.rig.mount()?;
            let recovered = self.recover();
            self.rig.sync()?;
            let inner = self.rig.disk.stop();
            self.rig.unmount()?;
            recovered?;
            for cut in cuts(&inner, 60, self.options.samples.min(10), &mut self.dice) {
                self.examine(&cut, allowed.clone())?;
            }
            self.rig.disk.forget();
        }
        Ok(())
    }

    fn complain(&mut self, cut: &Cut, what: &str) {
        let lost = cut.lost.len() + cut.torn.len();
        let (state, records) = (self.counts.states, cut.records);
        self.wrong.push(format!("state {state}, after {records} records, {lost} lost: {what}"));
    }

    fn print(&self, records: &[Record], began: Instant) {
        let Counts {
            states, torn_before, torn, lost, litter, unreadable, left_alone, failed, ..
        } = self.counts;
        let count = |wanted: fn(&Record) -> bool| records.iter().filter(|one| wanted(one)).count();
        let writes = count(|one| matches!(one, Record::Write(..)));
        let flushes = count(|one| matches!(one, Record::Flush));
        let Options { kind, writer, recorded, noise, traffic, one, flaws, size, .. } =
            &self.options;
        let mut how = format!("{recorded:?}").to_lowercase();
        let words = [
            (*one, " one file"),
            (*noise, " noise"),
            (*traffic, " traffic"),
            (flaws.slow, " slow"),
            (flaws.no_syncs, " no syncs"),
        ];
        for (on, word) in words {
            how.push_str(if on { word } else { "" });
        }
        if let Some(dropped) = flaws.dropped_sync {
            how.push_str(&format!(" without sync {dropped}"));
        }
        if *size != 400 {
            how.push_str(&format!(" of {size} lines"));
        }
        println!(
            "| {} | {} | {how} | {writes}/{flushes} | {states} | {torn_before} | {torn} | {lost} | {litter} | {} | {} | {} |",
            kind.name(),
            writer.name(),
            unreadable + left_alone,
            failed + self.counts.not_mounted,
            began.elapsed().as_secs(),
        );
        for wrong in self.wrong.iter().take(3) {
            println!("   {}", wrong.chars().take(300).collect::<String>());
        }
    }
}

/// Another program that uses the same file system.
struct Neighbour(Child);

impl Neighbour {
    /// Makes the kernel write back dirty pages all the time.
    fn noise(mount: &Path) -> Result<Self> {
        Self::new(&format!("while :; do sync -f '{}'; done", mount.display()))
    }

    /// Writes, syncs and removes files, so that the file system reuses their blocks.
    fn traffic(mount: &Path) -> Result<Self> {
        let other = mount.join("other");
        Self::new(&format!(
            "text=$(head -c 20000 /dev/zero | tr '\\0' x); n=0; while :; do n=$((n + 1)); \
             echo \"$text\" > '{0}'-$n; sync '{0}'-$n; rm -f '{0}'-$((n - 3)); done",
            other.display()
        ))
    }

    fn new(script: &str) -> Result<Self> {
        let child = Command::new("sh").args(["-c", script]).stdout(Stdio::null()).spawn();
        child.map(Self).map_err(|error| error.to_string())
    }
}

impl Drop for Neighbour {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
