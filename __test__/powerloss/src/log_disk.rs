//! A disk in memory that remembers every write and flush; FUSE shows it as a file.
//!
//! A loop device makes a block device of that file, for a real file system. Afterwards the disk can
//! be set to any state that a power cut could have left: the first records of a recording, without
//! some that were not flushed.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use fuser::{
    Config, Errno, FileAttr, FileHandle, FileType, Filesystem, FopenFlags, Generation, INodeNo,
    LockOwner, MountOption, OpenFlags, ReplyAttr, ReplyData, ReplyEmpty, ReplyEntry, ReplyOpen,
    ReplyWrite, Request, TimeOrNow, WriteFlags,
};

/// The name of the file by which FUSE shows the disk.
pub const IMAGE: &str = "disk.img";

const BLOCK: usize = 4096;
/// The number of bytes that a disk writes whole or not at all.
pub const SECTOR: usize = 4096;
const ZERO: [u8; BLOCK] = [0; BLOCK];
const DIRECTORY: u64 = 1;
const FILE: u64 = 2;

type Blocks = HashMap<usize, Arc<[u8; BLOCK]>>;

/// An event in a recording.
#[derive(Clone)]
pub enum Record {
    /// Bytes were written at an offset.
    Write(usize, Arc<[u8]>),
    /// Everything before this is on the medium.
    Flush,
    /// The work acknowledged a patch; this many are acknowledged now.
    Acknowledged(usize),
}

/// A state that a power cut could have left.
#[derive(Clone, Debug, Default)]
pub struct Cut {
    /// How many records there were before the cut.
    pub records: usize,
    /// The indexes of lost records.
    pub lost: HashSet<usize>,
    /// Lost sectors: the index of the record, and of the sector in it.
    pub torn: HashSet<(usize, usize)>,
}

#[derive(Default)]
struct State {
    now: Blocks,
    /// The disk at the start of each recording, with its records; only the last one counts.
    recordings: Vec<(Blocks, Vec<Record>)>,
    recording: bool,
}

/// A disk that remembers its writes and flushes.
#[derive(Clone, Default)]
pub struct LogDisk(Arc<Mutex<State>>);

impl LogDisk {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a recording with the present content of the disk.
    pub fn record(&self) {
        let mut state = self.state();
        let start = state.now.clone();
        state.recordings.push((start, Vec::new()));
        state.recording = true;
    }

    /// Ends the recording, and returns its records.
    pub fn stop(&self) -> Vec<Record> {
        let mut state = self.state();
        state.recording = false;
        state.recordings.last().map_or_else(Vec::new, |(_, records)| records.clone())
    }

    /// Forgets the last recording; the one before it counts again.
    pub fn forget(&self) {
        let mut state = self.state();
        state.recordings.pop();
        state.recording = false;
    }

    /// Records that this many patches are acknowledged.
    pub fn acknowledge(&self, patches: usize) {
        self.state().note(Record::Acknowledged(patches));
    }

    /// Sets the disk to the state that a power cut left.
    pub fn cut(&self, cut: &Cut) {
        let mut state = self.state();
        state.recording = false;
        let Some((start, records)) = state.recordings.last() else { return };
        let mut blocks = start.clone();
        for (at, record) in records.iter().take(cut.records).enumerate() {
            let Record::Write(offset, bytes) = record else { continue };
            if cut.lost.contains(&at) {
                continue;
            }
            for (sector, piece) in bytes.chunks(SECTOR).enumerate() {
                if !cut.torn.contains(&(at, sector)) {
                    put(&mut blocks, offset + sector * SECTOR, piece);
                }
            }
        }
        state.now = blocks;
    }

    /// Saves the present disk in a file, with holes where nothing was written.
    pub fn keep(&self, path: &Path, megabytes: u64) -> std::io::Result<()> {
        let file = std::fs::File::create(path)?;
        file.set_len(megabytes << 20)?;
        for (at, block) in &self.state().now {
            file.write_all_at(&block[..], (at * BLOCK) as u64)?;
        }
        Ok(())
    }

    /// Serves the disk as a file in `directory`, until somebody unmounts that.
    pub fn serve(&self, directory: &Path, megabytes: u64) -> std::io::Result<()> {
        let mut config = Config::default();
        config.mount_options = vec![MountOption::FSName("powerloss".into())];
        fuser::mount(Served { disk: self.clone(), size: megabytes << 20 }, directory, &config)
    }
}

impl State {
    fn note(&mut self, record: Record) {
        if self.recording
            && let Some((_, records)) = self.recordings.last_mut()
        {
            records.push(record);
        }
    }

    fn read(&self, offset: usize, size: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(size);
        while bytes.len() < size {
            let at = offset + bytes.len();
            let block = self.now.get(&(at / BLOCK)).map_or(&ZERO, |block| block);
            let end = (at % BLOCK + size - bytes.len()).min(BLOCK);
            bytes.extend_from_slice(&block[at % BLOCK..end]);
        }
        bytes
    }
}

fn put(blocks: &mut Blocks, mut offset: usize, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        let inside = offset % BLOCK;
        let (piece, rest) = bytes.split_at(bytes.len().min(BLOCK - inside));
        let block = blocks.entry(offset / BLOCK).or_insert_with(|| Arc::new(ZERO));
        Arc::make_mut(block)[inside..inside + piece.len()].copy_from_slice(piece);
        offset += piece.len();
        bytes = rest;
    }
}

struct Served {
    disk: LogDisk,
    size: u64,
}

impl Served {
    fn attributes(&self, number: u64) -> FileAttr {
        let is_directory = number == DIRECTORY;
        FileAttr {
            ino: INodeNo(number),
            size: if is_directory { 0 } else { self.size },
            blocks: 0,
            atime: UNIX_EPOCH,
            mtime: UNIX_EPOCH,
            ctime: UNIX_EPOCH,
            crtime: UNIX_EPOCH,
            kind: if is_directory { FileType::Directory } else { FileType::RegularFile },
            perm: if is_directory { 0o755 } else { 0o644 },
            nlink: 1,
            uid: 0,
            gid: 0,
            rdev: 0,
            flags: 0,
            blksize: 4096,
        }
    }
}

const LONG: Duration = Duration::from_secs(3600);

impl Filesystem for Served {
    fn lookup(&self, _: &Request, _: INodeNo, name: &OsStr, reply: ReplyEntry) {
        if name == IMAGE {
            reply.entry(&LONG, &self.attributes(FILE), Generation(0));
        } else {
            reply.error(Errno::ENOENT);
        }
    }

    fn getattr(&self, _: &Request, number: INodeNo, _: Option<FileHandle>, reply: ReplyAttr) {
        reply.attr(&LONG, &self.attributes(number.0));
    }

    fn setattr(
        &self,
        _: &Request,
        number: INodeNo,
        _: Option<u32>,
        _: Option<u32>,
        _: Option<u32>,
        _: Option<u64>,
        _: Option<TimeOrNow>,
        _: Option<TimeOrNow>,
        _: Option<SystemTime>,
        _: Option<FileHandle>,
        _: Option<SystemTime>,
        _: Option<SystemTime>,
        _: Option<SystemTime>,
        _: Option<fuser::BsdFileFlags>,
        reply: ReplyAttr,
    ) {
        reply.attr(&LONG, &self.attributes(number.0));
    }

    fn open(&self, _: &Request, _: INodeNo, _: OpenFlags, reply: ReplyOpen) {
        // Without the page cache, so that each write of the loop device arrives here at once, as
        // one request.
        reply.opened(FileHandle(0), FopenFlags::FOPEN_DIRECT_IO);
    }

    fn read(
        &self,
        _: &Request,
        _: INodeNo,
        _: FileHandle,
        offset: u64,
        size: u32,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyData,
    ) {
        let size = u64::from(size).min(self.size.saturating_sub(offset));
        reply.data(&self.disk.state().read(offset as usize, size as usize));
    }

    fn write(
        &self,
        _: &Request,
        _: INodeNo,
        _: FileHandle,
        offset: u64,
        data: &[u8],
        _: WriteFlags,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyWrite,
    ) {
        let mut state = self.disk.state();
        put(&mut state.now, offset as usize, data);
        state.note(Record::Write(offset as usize, data.into()));
        reply.written(data.len() as u32);
    }

    fn fsync(&self, _: &Request, _: INodeNo, _: FileHandle, _: bool, reply: ReplyEmpty) {
        self.disk.state().note(Record::Flush);
        reply.ok();
    }
}
