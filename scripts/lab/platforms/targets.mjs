// The platforms that binaries are published for: how each is named, built and checked.

import { existsSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { must, root } from "../../run.mjs";
import { cached } from "../cache.mjs";

const VERSIONS = { ziglang: "0.17.0", "cargo-zigbuild": "0.24.0" };

/** Alpine's Node loads shared libraries, so the addon must not contain a C library of its own. */
const SHARED_MUSL = { RUSTFLAGS: "-C target-feature=-crt-static" };
/** Newer phones load only libraries whose segments are aligned to 16 KB. */
const ANDROID = { RUSTFLAGS: "-C link-arg=-Wl,-z,max-page-size=16384" };
const MACOS = { MACOSX_DEPLOYMENT_TARGET: "11.0" };

/**
 * `platform` is the end of the package's name, `rust` Rust's name for the target. zigbuild gets `zig` after
 * that name: the oldest glibc. With `standIn`, `rust` is only good enough for the tests; the release is built
 * for `standIn`, on such a machine. `ndk` is the oldest API level of Android for which it is linked.
 */
export const TARGETS = [
  { platform: "linux-x64-gnu", rust: "x86_64-unknown-linux-gnu", zig: ".2.17", glibc: "2.17" },
  { platform: "linux-arm64-gnu", rust: "aarch64-unknown-linux-gnu", zig: ".2.17", glibc: "2.17" },
  { platform: "linux-x64-musl", rust: "x86_64-unknown-linux-musl", env: SHARED_MUSL },
  { platform: "linux-arm64-musl", rust: "aarch64-unknown-linux-musl", env: SHARED_MUSL },
  { platform: "linux-arm-gnueabihf", rust: "armv7-unknown-linux-gnueabihf", zig: ".2.17", glibc: "2.17" },
  { platform: "darwin-x64", rust: "x86_64-apple-darwin", env: MACOS, macos: "11.0" },
  { platform: "darwin-arm64", rust: "aarch64-apple-darwin", env: MACOS, macos: "11.0" },
  { platform: "win32-x64-msvc", rust: "x86_64-pc-windows-gnu", standIn: "x86_64-pc-windows-msvc" },
  { platform: "win32-arm64-msvc", rust: "aarch64-pc-windows-gnullvm", standIn: "aarch64-pc-windows-msvc" },
  { platform: "android-arm64", rust: "aarch64-linux-android", env: ANDROID, ndk: 24 },
  { platform: "freebsd-x64", rust: "x86_64-unknown-freebsd" },
];

/** The target for a build on such a machine: not the stand-in, and for no older glibc than the machine's. */
export function native({ standIn, glibc: _glibc, ...target }) {
  return { ...target, rust: standIn ?? target.rust };
}

const ndkHome = () => process.env.ANDROID_NDK_LATEST_HOME || process.env.ANDROID_NDK_HOME;

/** Why a platform cannot be built on this machine; undefined if it can. */
export function obstacle({ ndk }) {
  // No registry has the NDK; GitHub's machines have it.
  return ndk && !ndkHome() ? "Android's NDK is not here, or ANDROID_NDK_HOME does not say where" : undefined;
}

/** The environment variables with which cargo links with Android's NDK. */
export function ndkEnvironment({ rust, ndk }) {
  const system = process.platform === "darwin" ? "darwin" : "linux";
  const clang = join(
    ndkHome(),
    "toolchains",
    "llvm",
    "prebuilt",
    `${system}-x86_64`,
    "bin",
    `${rust}${ndk}-clang`,
  );
  return { [`CARGO_TARGET_${rust.toUpperCase().replaceAll("-", "_")}_LINKER`]: clang };
}

/** Throws if one of the names is not a platform's. */
export function refuseUnknown(names) {
  const unknown = names.filter((name) => !TARGETS.some(({ platform }) => platform === name));
  if (unknown.length > 0) throw new Error(`no platform is called ${unknown.join(", ")}`);
}

/** The platform of a machine, spelled as in the packages' names; the loader describes the machine. */
export function platformOf({ platform, arch, libc }) {
  if (platform === "win32") return `win32-${arch}-msvc`;
  if (platform !== "linux") return `${platform}-${arch}`;
  return `linux-${arch}-${libc}${arch === "arm" ? "eabihf" : ""}`;
}

/** The names of the files that cargo makes for a platform. */
export function artefacts(platform) {
  if (platform.startsWith("win32")) return { addon: "hashline.dll", program: "hashline.exe" };
  return {
    addon: platform.startsWith("darwin") ? "libhashline.dylib" : "libhashline.so",
    program: "hashline",
  };
}

/** The paths of a platform's package, its addon, and the separate program, which is not packed. */
export function packageFiles({ platform }) {
  const { program } = artefacts(platform);
  const directory = join(root, "npm", platform);
  return {
    directory,
    addon: join(directory, `hashline.${platform}.node`),
    program: join(directory, "program", program),
  };
}

/** Whether npm/ holds both binaries of a platform. */
export function isBuilt(target) {
  const { addon, program } = packageFiles(target);
  return existsSync(addon) && existsSync(program);
}

/** The environment variables for `cargo zigbuild`; installs zig and zigbuild if they are missing. */
export async function zigEnvironment() {
  const names = Object.entries(VERSIONS).map(([name, version]) => `${name}==${version}`);
  const entry = `zig-${VERSIONS.ziglang}-zigbuild-${VERSIONS["cargo-zigbuild"]}`;
  const packages = await cached(entry, (directory) =>
    must("python3", ["-m", "pip", "install", "--quiet", "--target", directory, ...names], { quiet: true }),
  );
  return {
    PATH: `${join(packages, "bin")}:${process.env.PATH}`,
    CARGO_ZIGBUILD_ZIG_PATH: join(packages, "ziglang", "zig"),
  };
}

/**
 * The environment variables for the Windows stand-ins: napi's build script looks for Node's own library and
 * links it. An empty one is enough, because the addon finds Node's functions when it is loaded.
 */
export async function libnodeEnvironment() {
  const place = await cached("libnode-empty", async (directory) => {
    await writeFile(join(directory, "libnode.dll"), "");
    await writeFile(join(directory, "libnode.a"), "!<arch>\n");
  });
  return { LIBNODE_PATH: place };
}

/** Installs Rust's standard library for a target. */
export async function addRustTarget({ rust }) {
  const sysroot = (await must("rustc", ["--print", "sysroot"], { quiet: true })).trim();
  const library = join(sysroot, "lib", "rustlib", rust, "lib");
  if (existsSync(library) && (await readdir(library)).length > 0) return;
  await must("rustup", ["target", "add", rust], { quiet: true });
}
