// npm run build:all: builds the binaries of every platform on one Linux machine, into npm/<platform>/.
//
//   npm run build:all                     everything that is not up to date
//   npm run build:all -- linux-x64-musl   some platforms
//   … -- --native darwin-arm64            on a machine of that platform, with its own linker, as the release does
//   HASHLINE_PROFILE=dev …                without optimisation, to test the build itself
//
// A platform is not built again if the sources have not changed, so after an interruption a second run
// continues. Each platform has a log in target/build-all/.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, existsSync } from "node:fs";
import { chmod, copyFile, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ADDON } from "../../build.mjs";
import { root, script, step } from "../../run.mjs";
import { glibcOf, kindOf, macosOf } from "./binaries.mjs";
import {
  addRustTarget,
  artefacts,
  isBuilt,
  libnodeEnvironment,
  native,
  ndkEnvironment,
  obstacle,
  packageFiles,
  refuseUnknown,
  TARGETS,
  zigEnvironment,
} from "./targets.mjs";

const NATIVE = process.argv.includes("--native");
const PROFILE = process.env.HASHLINE_PROFILE ?? "release";
const LOGS = join(root, "target", "build-all");

/** A hash of all sources and options of the binaries. */
async function sourceHash() {
  const hash = createHash("sha256").update(JSON.stringify([PROFILE, NATIVE, TARGETS]));
  const files = ["Cargo.toml", "Cargo.lock", "build.rs", "rust-toolchain.toml"];
  for (const directory of ["src", "crates"]) {
    const entries = await readdir(join(root, directory), { recursive: true, withFileTypes: true });
    files.push(
      ...entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)),
    );
  }
  for (const file of files.sort())
    hash.update(file).update(await readFile(join(root, file.replace(root, ""))));
  return hash.digest("hex");
}

/** Builds the addon and the program of a platform; returns how many seconds that took. */
async function build(target, environment, log) {
  await addRustTarget(target);
  const plain = NATIVE || target.ndk;
  const [cargo, build] = plain ? ["cargo", "build"] : ["cargo-zigbuild", "zigbuild"];
  const common = ["--profile", PROFILE, "--target", plain ? target.rust : target.rust + (target.zig ?? "")];
  const libnode = target.standIn ? await libnodeEnvironment() : {};
  const ndk = target.ndk ? ndkEnvironment(target) : {};
  const env = { ...process.env, ...environment, ...libnode, ...ndk, ...target.env };
  const begin = performance.now();
  // The addon contains the program, too; the separate program is for the archives of a release.
  await logged(cargo, [build, ...common, ...ADDON], env, log);
  await logged(cargo, [build, ...common, "--package", "hashline-cli"], env, log);
  const from = join(root, "target", target.rust, PROFILE === "dev" ? "debug" : PROFILE);
  const { addon, program } = artefacts(target.platform);
  const files = packageFiles(target);
  await mkdir(dirname(files.program), { recursive: true });
  await copyFile(join(from, addon), files.addon);
  await copyFile(join(from, program), files.program);
  await chmod(files.program, 0o755);
  return (performance.now() - begin) / 1000;
}

/** Runs a program that must succeed, and writes its output to a log. */
async function logged(program, args, env, log) {
  const child = spawn(program, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${program} ${args[0]} failed with exit code ${code}`);
}

/** Checks that an addon is for the right platform and for systems as old as promised; returns what it needs. */
async function inspect(target) {
  const bytes = await readFile(packageFiles(target).addon);
  const [system, processor] = target.platform.split("-");
  if (kindOf(bytes) !== `${system}-${processor}`)
    throw new Error(`${target.platform}: it is ${kindOf(bytes)}`);
  const glibc = system === "linux" ? glibcOf(bytes) : undefined;
  const macos = system === "darwin" ? macosOf(bytes) : undefined;
  if (target.glibc && compare(glibc, target.glibc) > 0)
    throw new Error(`${target.platform}: needs glibc ${glibc}`);
  if (!target.glibc && glibc) throw new Error(`${target.platform}: needs glibc ${glibc}, but is for musl`);
  if (target.macos && compare(macos, target.macos) > 0)
    throw new Error(`${target.platform}: needs macOS ${macos}`);
  if (glibc) return `glibc ${glibc}`;
  if (macos) return `macOS ${macos}`;
  return target.standIn ? `stand-in for ${target.standIn}` : "";
}

const compare = (a, b) => a.localeCompare(b, "en", { numeric: true });

const megabytes = async (path) => `${((await stat(path)).size / 1e6).toFixed(2)} MB`;

async function make(target, environment) {
  // Hashed for each platform, so that if sources change during a long run, the next run builds again.
  const hash = await sourceHash();
  const stamp = join(LOGS, `${target.platform}.json`);
  const { addon, program } = packageFiles(target);
  const known = existsSync(stamp) ? JSON.parse(await readFile(stamp, "utf8")) : {};
  let { seconds } = known;
  const fresh = known.hash === hash && isBuilt(target);
  if (!fresh) {
    step(`${target.platform} (${target.rust}); log: target/build-all/${target.platform}.log`);
    const log = createWriteStream(join(LOGS, `${target.platform}.log`));
    seconds = Math.round(await build(target, environment, log));
    log.end();
    await writeFile(stamp, JSON.stringify({ hash, seconds }));
  }
  return {
    platform: target.platform,
    addon: await megabytes(addon),
    program: await megabytes(program),
    time: `${seconds} s${fresh ? " (before)" : ""}`,
    needs: await inspect(target),
  };
}

await script(async () => {
  const wanted = process.argv.slice(2).filter((argument) => argument !== "--native");
  refuseUnknown(wanted);
  await mkdir(LOGS, { recursive: true });
  const environment = NATIVE ? {} : await zigEnvironment();
  const rows = [];
  const failures = [];
  const isWanted = ({ platform }) => wanted.length === 0 || wanted.includes(platform);
  for (const target of (NATIVE ? TARGETS.map(native) : TARGETS).filter(isWanted)) {
    const reason = obstacle(target);
    if (reason && !wanted.includes(target.platform)) {
      rows.push({ platform: target.platform, needs: `not built: ${reason}` });
      continue;
    }
    try {
      if (reason) throw new Error(reason);
      rows.push(await make(target, environment));
    } catch (error) {
      failures.push(`${target.platform}: ${error.message}`);
    }
  }
  step(`profile ${PROFILE}`);
  console.table(rows);
  if (failures.length > 0) throw new Error(`not every platform was built:\n  ${failures.join("\n  ")}`);
});
