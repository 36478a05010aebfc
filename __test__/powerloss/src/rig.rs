//! The file system under test, on a loop device on the disk that remembers its writes.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::log_disk::{IMAGE, LogDisk};

/// The error is the text of a fault of the rig itself.
pub type Result<T> = std::result::Result<T, String>;

/// A file system that the rig knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Ext4,
    /// ext4 without a journal, which many virtual machines have.
    Ext4Plain,
    Xfs,
    Btrfs,
}

impl Kind {
    pub fn named(name: &str) -> Option<Self> {
        [Self::Ext4, Self::Ext4Plain, Self::Xfs, Self::Btrfs]
            .into_iter()
            .find(|kind| kind.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Ext4 => "ext4",
            Self::Ext4Plain => "ext4-plain",
            Self::Xfs => "xfs",
            Self::Btrfs => "btrfs",
        }
    }

    /// The size of its disk in megabytes: small, but with room for large files.
    fn megabytes(self) -> u64 {
        match self {
            Self::Ext4 | Self::Ext4Plain => 128,
            Self::Xfs => 320,
            Self::Btrfs => 192,
        }
    }

    fn make(self) -> &'static [&'static str] {
        match self {
            Self::Ext4 => &[
                "mkfs.ext4",
                "-q",
                "-b",
                "4096",
                "-E",
                "nodiscard,lazy_itable_init=0,lazy_journal_init=0",
            ],
            // Gives each file's inode a block of its own.
            Self::Ext4Plain => &[
                "mkfs.ext4", "-q", "-b", "4096", "-I", "4096", "-N", "512", "-O", "^has_journal",
                "-E", "nodiscard,lazy_itable_init=0",
            ],
            Self::Xfs => &["mkfs.xfs", "-q", "-f", "-K"],
            Self::Btrfs => &["mkfs.btrfs", "-q", "-f", "-K"],
        }
    }
}

/// A mounted file system whose disk can lose its power.
pub struct Rig {
    pub disk: LogDisk,
    fuse: PathBuf,
    pub mount: PathBuf,
    device: String,
    kind: Kind,
}

/// Runs a program that must succeed, and returns its output.
fn must(program: &str, arguments: &[&str]) -> Result<String> {
    let output = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("cannot run {program}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{program} {}: {}", arguments.join(" "), said.trim()))
}

impl Rig {
    /// Makes a disk with a file system on it, not mounted yet.
    pub fn new(kind: Kind, directory: &Path) -> Result<Self> {
        let (fuse, mount) = (directory.join("fuse"), directory.join("mnt"));
        for path in [&fuse, &mount] {
            std::fs::create_dir_all(path).map_err(|error| format!("{path:?}: {error}"))?;
        }
        let disk = LogDisk::default();
        thread::spawn({
            let (disk, fuse) = (disk.clone(), fuse.clone());
            move || {
                if let Err(error) = disk.serve(&fuse, kind.megabytes()) {
                    eprintln!("cannot serve the disk: {error}");
                }
            }
        });
        let image = fuse.join(IMAGE);
        for tries in 0.. {
            if image.exists() {
                break;
            }
            if tries > 6_000 {
                return Err("FUSE did not start".to_owned());
            }
            thread::sleep(Duration::from_millis(10));
        }
        let device = must("losetup", &["-f", "--show", &image.to_string_lossy()])?;
        let rig = Self { disk, fuse, mount, device, kind };
        let (program, arguments) = kind.make().split_first().expect("a program");
        let arguments: Vec<&str> = arguments.iter().copied().chain([rig.device.as_str()]).collect();
        must(program, &arguments)?;
        Ok(rig)
    }

    pub fn mount(&self) -> Result<()> {
        if self.kind == Kind::Ext4Plain {
            // A system does this when it starts; the exit code is not 0 if e2fsck repaired
            // something.
            let _ = must("e2fsck", &["-fy", &self.device]);
        }
        must("mount", &[&self.device, &self.mount.to_string_lossy()]).map(|_| ())
    }

    pub fn unmount(&self) -> Result<()> {
        let mut last = Ok(String::new());
        // Another program may still use the mount for a moment.
        for _ in 0..3_000 {
            last = must("umount", &[&self.mount.to_string_lossy()]);
            if last.is_ok() {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(20));
        }
        last.map(|_| ())
    }

    /// Saves the disk in a file, for inspection with the tools of its file system.
    pub fn keep(&self, path: &Path) -> Result<()> {
        self.disk.keep(path, self.kind.megabytes()).map_err(|error| format!("{path:?}: {error}"))
    }

    /// Waits until everything is on the disk.
    pub fn sync(&self) -> Result<()> {
        must("sync", &["-f", &self.mount.to_string_lossy()]).map(|_| ())
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        let _ = must("umount", &[&self.mount.to_string_lossy()]);
        let _ = must("losetup", &["-d", &self.device]);
        for _ in 0..3_000 {
            if must("umount", &[&self.fuse.to_string_lossy()]).is_ok() {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
}
