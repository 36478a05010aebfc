// Reads from a binary which system and processor it is for, and how new the system must be.

/** The version of glibc that an ELF file needs, as `2.17`; undefined if it does not use glibc. */
export function glibcOf(bytes) {
  const versions = [...bytes.toString("latin1").matchAll(/GLIBC_(\d+)\.(\d+)/g)];
  const newest = versions
    .map(([, major, minor]) => [Number(major), Number(minor)])
    .reduce((best, version) => (isNewer(version, best) ? version : best), [0, 0]);
  return newest[0] === 0 ? undefined : newest.join(".");
}

const isNewer = ([major, minor], [otherMajor, otherMinor]) =>
  major > otherMajor || (major === otherMajor && minor > otherMinor);

const MACH_O_64 = 0xfeedfacf;
const VERSION_MIN_MACOSX = 0x24;
const BUILD_VERSION = 0x32;

/** The oldest macOS that can load a Mach-O file, as `11.0`. */
export function macosOf(bytes) {
  if (bytes.readUInt32LE(0) !== MACH_O_64) throw new Error("this is no 64-bit Mach-O file");
  const commands = bytes.readUInt32LE(16);
  let at = 32;
  for (let command = 0; command < commands; command++) {
    const kind = bytes.readUInt32LE(at);
    // Both commands hold X.Y.Z as XXXX.YY.ZZ; the newer one has the platform before it.
    if (kind === BUILD_VERSION) return version(bytes.readUInt32LE(at + 12));
    if (kind === VERSION_MIN_MACOSX) return version(bytes.readUInt32LE(at + 8));
    at += bytes.readUInt32LE(at + 4);
  }
  return undefined;
}

const version = (packed) => `${packed >>> 16}.${(packed >>> 8) & 0xff}`;

const ELF_MACHINES = { 40: "arm", 62: "x64", 183: "arm64" };
const MACH_O_CPUS = { 16777223: "x64", 16777228: "arm64" };
const PE_MACHINES = { 34404: "x64", 43620: "arm64" };

/** System and processor of a binary, as `linux-x64`. */
export function kindOf(bytes) {
  if (bytes.readUInt32BE(0) === 0x7f454c46)
    return `${elfSystem(bytes)}-${ELF_MACHINES[bytes.readUInt16LE(18)]}`;
  if (bytes.readUInt32LE(0) === MACH_O_64) return `darwin-${MACH_O_CPUS[bytes.readUInt32LE(4)]}`;
  if (bytes.toString("latin1", 0, 2) === "MZ") {
    return `win32-${PE_MACHINES[bytes.readUInt16LE(bytes.readUInt32LE(60) + 4)]}`;
  }
  return "unknown";
}

/** The system of an ELF file, whose header may not name it: FreeBSD's functions have versions, Android has a note. */
function elfSystem(bytes) {
  if (bytes.includes("FBSD_1.")) return "freebsd";
  return bytes.includes(".note.android.ident") ? "android" : "linux";
}
