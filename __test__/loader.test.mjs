import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { libcOf, load, NativeUnavailableError, thisMachine } from "../js/loader.js";
import { cannotStart, startEngine } from "./engine.mjs";

const linux = { platform: "linux", arch: "x64", libc: "gnu" };

/** The path of the binary in the package's own directory. */
const beside = (target) => fileURLToPath(new URL(`../hashline.${target}.node`, import.meta.url));

/** The path of the binary in the platform's package, which npm installs next to ours. */
const sibling = (target) =>
  fileURLToPath(new URL(`../../@pi-hash/${target}/hashline.${target}.node`, import.meta.url));

/** A stand-in for the loader's system, with a `require` that knows only these modules. */
function systemWith(modules) {
  const require = (path) => {
    if (path in modules) return modules[path];
    throw new Error(`Cannot find module '${path}'\nRequire stack:\n- somewhere`);
  };
  return { require, exists: (path) => path in modules, version: "1.0.0", machine: linux };
}

const built = (version) => ({ version: () => version });

test("the binary in the package's own directory wins over the platform package", () => {
  const [near, apart] = [built("1.0.0"), built("1.0.0")];
  const system = systemWith({ [beside("linux-x64-gnu")]: near, "@pi-hash/linux-x64-gnu": apart });
  assert.equal(load(system), near);
});

test("the platform package is loaded if the package's own directory has no binary", () => {
  const apart = built("1.0.0");
  assert.equal(load(systemWith({ "@pi-hash/linux-x64-gnu": apart })), apart);
});

test("the platform package is found by its path where names of packages cannot be resolved", () => {
  const apart = built("1.0.0");
  assert.equal(load(systemWith({ [sibling("linux-x64-gnu")]: apart })), apart);
});

test("in an installation by npm, the loader first requires the binary", () => {
  const apart = built("1.0.0");
  const { require, ...system } = systemWith({
    [sibling("linux-x64-gnu")]: apart,
    "@pi-hash/linux-x64-gnu": apart,
  });
  const required = [];
  load({ ...system, require: (path) => required.push(path) && require(path) });
  assert.deepEqual(required, [sibling("linux-x64-gnu")]);
});

test("a binary of another version is passed over for the right one", () => {
  const apart = built("1.0.0");
  const modules = {
    [beside("linux-x64-gnu")]: built("0.9.0"),
    [sibling("linux-x64-gnu")]: built("0.9.1"),
    "@pi-hash/linux-x64-gnu": apart,
  };
  assert.equal(load(systemWith(modules)), apart);
});

test("a binary of another version is refused with both versions", () => {
  assert.throws(
    () => load(systemWith({ [beside("linux-x64-gnu")]: built("0.9.0") })),
    (error) =>
      error.code === "native_unavailable" &&
      /it is version 0\.9\.0, but this package is 1\.0\.0/.test(error.message),
  );
});

test("a module that is not ours is refused", () => {
  for (const foreign of [{}, null, 5]) {
    assert.throws(() => load(systemWith({ [beside("linux-x64-gnu")]: foreign })), /version unknown/);
  }
});

test("the error names platform, libc, every path with its reason, and the command that helps", () => {
  const error = failure(linux);
  assert.ok(error instanceof NativeUnavailableError);
  assert.equal(error.code, "native_unavailable");
  assert.equal(
    error.message,
    [
      "cannot load the native part of pi-hash 1.0.0 on linux x64 (libc: gnu)",
      `  ${beside("linux-x64-gnu")}: there is no such file`,
      `  ${sibling("linux-x64-gnu")}: there is no such file`,
      "  @pi-hash/linux-x64-gnu: Cannot find module '@pi-hash/linux-x64-gnu'",
      "hint: reinstall with `npm install --include=optional pi-hash@1.0.0`, or in a clone run `npm run build`",
    ].join("\n"),
  );
  assert.deepEqual(
    error.attempts.map(({ path }) => path),
    [beside("linux-x64-gnu"), sibling("linux-x64-gnu"), "@pi-hash/linux-x64-gnu"],
  );
});

test("both C libraries are tried if the system's is unknown", () => {
  const paths = failure({ ...linux, libc: "unknown" }).attempts.map(({ path }) => path);
  assert.deepEqual(
    paths.filter((path) => path.startsWith("@")),
    ["@pi-hash/linux-x64-gnu", "@pi-hash/linux-x64-musl"],
  );
});

test("every platform gets its own name, and an unknown one its own advice", () => {
  assert.match(failure({ platform: "win32", arch: "arm64" }).message, /hashline\.win32-arm64-msvc\.node/);
  assert.match(failure({ platform: "darwin", arch: "x64" }).message, /@pi-hash\/darwin-x64/);
  assert.match(failure({ platform: "android", arch: "arm64" }).message, /@pi-hash\/android-arm64/);
  assert.match(failure({ platform: "freebsd", arch: "x64" }).message, /@pi-hash\/freebsd-x64/);
  assert.match(failure({ ...linux, arch: "arm" }).message, /@pi-hash\/linux-arm-gnueabihf/);
  assert.match(
    failure({ platform: "openbsd", arch: "x64" }).message,
    /no binary is published for this platform/,
  );
});

test("in Deno without permissions the hint names them", () => {
  const require = () => {
    throw new Error('Requires ffi access to "/a.node", run again with the --allow-ffi flag');
  };
  assert.throws(() => load({ ...systemWith({}), require }), /hint: run Deno with `--allow-ffi/);
  // In Deno's sandbox even asking whether a file exists throws.
  const exists = () => {
    throw new Error('Requires read access to "/a.node", run again with the --allow-read flag');
  };
  assert.throws(() => load({ ...systemWith({}), exists }), /hint: run Deno with `--allow-ffi/);
});

test("a reason has no line ending, whatever the system's is", () => {
  const require = () => {
    throw new Error("The specified module could not be found.\r\n\\\\?\\C:\\a.node");
  };
  assert.throws(
    () => load({ require, exists: () => true, machine: { platform: "win32", arch: "x64" } }),
    (error) => error.attempts[0].reason === "The specified module could not be found.",
  );
});

test("the C library is that of the process, not that of the machine", () => {
  const gnu = { maps: "7f00 /usr/lib/x86_64-linux-gnu/libc.so.6\n", ldd: "ldd (GNU libc) GLIBC 2.36" };
  const check = (wanted, { maps = "", report, ldd = "" }) =>
    assert.equal(libcOf({ maps: () => maps, report: () => report, ldd: () => ldd }), wanted);
  check("gnu", gnu);
  check("musl", { ...gnu, maps: "7f00 /lib/ld-musl-x86_64.so.1\n" });
  check("musl", { ...gnu, maps: "7f00 /usr/lib/x86_64-linux-musl/libc.so\n" });
  check("musl", { ...gnu, maps: "7f00 /home/me/.cache/musl/lib/libc.so\n7f01 /opt/node\n" });
  check("gnu", { ...gnu, maps: "7f00 /home/me/libc.so.d/x\n7f01 /usr/lib/libc.so.6\n" });
  // Both are installed, and NixOS has neither in /lib.
  check("gnu", { ...gnu, maps: "7f00 /nix/store/a-glibc-2.40/lib/libc.so.6\n7f01 /opt/ld-musl.txt\n" });
  check("musl", { maps: "7f00 /nix/store/a-node/bin/node\n7f01 /nix/store/b-musl-1.2.5/lib/libc.so\n" });
  check("gnu", { report: { header: { glibcVersionRuntime: "2.36" } } });
  check("musl", { report: { sharedObjects: ["/lib/ld-musl-aarch64.so.1"] }, ldd: gnu.ldd });
  check("musl", { ldd: "musl libc (x86_64)" });
  check("gnu", { maps: "7f00 /home/me/musl-tools/a.node\n", ldd: gnu.ldd });
  check("unknown", {});
});

test("importing the package does not load Node's streams, which it does not use", {
  skip: cannotStart || (globalThis.Bun ? "only Node.js lists what it has loaded" : false),
}, () => {
  // `import "node:fs"` would load them, which takes longer than loading our binary.
  const entry = JSON.stringify(new URL("../index.js", import.meta.url).href);
  const program = `import ${entry}; const list = process.moduleLoadList; console.log(list.join("\\n"))`;
  const { status, stdout } = startEngine(["--input-type=module", "-e", program], { encoding: "utf8" });
  assert.equal(status, 0);
  assert.match(stdout, /^NativeModule fs$/m);
  assert.doesNotMatch(stdout, /^NativeModule internal\/fs\/streams$/m);
});

test("thisMachine describes this machine", () => {
  const { platform, arch, libc } = thisMachine();
  assert.equal(platform, process.platform);
  assert.equal(arch, process.arch);
  if (platform === "linux") assert.match(libc, /^(gnu|musl)$/);
});

function failure(machine) {
  try {
    load({ ...systemWith({}), machine });
  } catch (error) {
    return error;
  }
  assert.fail("loading from nothing must fail");
}
