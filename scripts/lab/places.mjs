// `npm run test:places`: runs `npm test` in four places that differ from a developer's machine in many ways.
//
//   npm run test:places                 all four
//   npm run test:places -- 2 4          some
//
// It needs root on Linux, because only root may mount, disconnect the network and become another user; otherwise it
// is skipped. A place is a clone of HEAD that compiles our own crates; everything else is copied from here (packages,
// compiled crates, the hosts' cache, after one `npm test`), so nothing is fetched. The logs are in target/places.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { must, outputOf, root, run, script } from "../run.mjs";
import { cache } from "./cache.mjs";

const NOBODY = "65534";
const C = { LANG: "C", LC_ALL: "C" };

/**
 * Each place: its user, the directories of clone, HOME and TMPDIR (`link`: reached through symbolic links), and
 * its other peculiarities.
 */
const TEST_PLACES = [
  { clone: "/dev/shm", blanks: true, home: "/var/tmp", tmp: "/tmp", umask: "000", env: { ...C, CI: "true" } },
  {
    user: NOBODY,
    clone: "/tmp",
    home: "/dev/shm",
    readOnlyHome: true,
    tmp: "/var/tmp",
    umask: "077",
    env: {},
  },
  { clone: "/var/tmp", link: true, home: "/tmp", tmp: "/dev/shm", umask: "022", offline: true, env: {} },
  {
    user: NOBODY,
    clone: "/var/tmp",
    blanks: true,
    home: "/var/tmp",
    link: true,
    tmp: "/tmp",
    umask: "000",
    offline: true,
    env: { ...C, CI: "true" },
  },
];

/** The starts of the names of files that hosts leave in the temporary directory. */
const LEFT_BY_HOSTS = ["jiti", "node-compile-cache", "omp-worker-stderr"];

const quoted = (word) => `'${word.replaceAll("'", "'\\''")}'`;

/** Runs `npm test` in a place, and returns a row about it. */
async function testIn(place, number) {
  const own = (parent, name) => join(parent, `hashline-place-${process.pid}`, name);
  const odd = place.blanks ? "mit Leerzeichen, naïve 线" : "plain";
  const real = {
    clone: own(place.clone, join(odd, "clone")),
    home: own(place.home, "home"),
    tmp: own(place.tmp, "tmp"),
  };
  const spare = own("/var/tmp", "spare");
  const all = [...Object.values(real), spare];
  const seen = { ...real };
  try {
    for (const path of [dirname(real.clone), real.home, real.tmp, join(spare, "rust")])
      mkdirSync(path, { recursive: true });
    await must("git", ["clone", "--quiet", "--no-hardlinks", root, real.clone], { quiet: true });
    const target = join(real.clone, "target");
    for (const [from, to] of [
      [realpathSync(join(root, "node_modules")), join(real.clone, "node_modules")],
      [realpathSync(join(root, "target", "debug")), join(target, "debug")],
      [cache, join(spare, "cache")],
      [join(homedir(), ".cargo", "registry"), join(spare, "home", ".cargo", "registry")],
    ]) {
      mkdirSync(dirname(to), { recursive: true });
      await must("cp", ["-a", from, to], { quiet: true });
    }
    if (place.link)
      for (const [name, path] of Object.entries(real)) {
        seen[name] = join(spare, name);
        symlinkSync(path, seen[name]);
      }
    const owner = place.user ?? "0";
    await must("chown", ["-R", `${owner}:${owner}`, ...all], { quiet: true });
    if (place.readOnlyHome) await must("chmod", ["0555", real.home], { quiet: true });
    const rust = (await outputOf("rustc", ["--print", "sysroot"])).trim();
    const path = [
      join(spare, "rust", "bin"),
      dirname(process.execPath),
      "/usr/local/bin",
      "/usr/bin",
      "/bin",
      "/usr/sbin",
    ];
    const env = {
      PATH: path.join(":"),
      HOME: seen.home,
      TMPDIR: seen.tmp,
      CARGO_HOME: join(homedir(), ".cargo"),
      HASHLINE_CACHE: join(spare, "cache"),
      GIT_CONFIG_NOSYSTEM: "1",
      ...place.env,
    };
    const lines = [
      // Hides the caller's home directory, so that nothing in it has an effect. cargo still finds its crates.
      `mount --bind ${quoted(rust)} ${quoted(join(spare, "rust"))}`,
      `mount --bind ${quoted(join(spare, "home"))} ${quoted(homedir())}`,
      ...(place.offline ? ["ip link set lo up"] : []),
      `umask ${place.umask}`,
      `cd ${quoted(seen.clone)}`,
      `exec setpriv --reuid ${owner} --regid ${owner} --clear-groups env -i ${Object.entries(env)
        .map((pair) => quoted(pair.join("=")))
        .join(" ")} npm test`,
    ];
    const began = performance.now();
    const spaces = ["--mount", ...(place.offline ? ["--net"] : [])];
    const { code, text } = await run("unshare", [...spaces, "sh", "-e", "-c", lines.join("\n")], {
      cwd: "/",
    });
    const logs = join(root, "target", "places");
    mkdirSync(logs, { recursive: true });
    writeFileSync(join(logs, `${number}.txt`), text);
    const log = join(target, "tests", "test.log");
    if (existsSync(log)) writeFileSync(join(logs, `${number}.log`), readFileSync(log));
    const state = join(real.home, ".local", "state");
    const left = [...readdirSync(real.tmp), ...(existsSync(state) ? readdirSync(state) : [])];
    return {
      ...place,
      env: Object.keys(place.env).join(" "),
      code,
      minutes: ((performance.now() - began) / 60_000).toFixed(1),
      result: /^\d+ passed, .*$/m.exec(text)?.[0] ?? "no sum",
      left: left.filter((name) => !LEFT_BY_HOSTS.some((known) => name.startsWith(known))).join(" "),
    };
  } finally {
    for (const path of all) rmSync(path, { recursive: true, force: true });
  }
}

await script(async () => {
  if (process.platform !== "linux" || process.getuid() !== 0)
    return void process.stdout.write("skipped: only root on Linux can become another user and mount\n");
  const wanted = process.argv.slice(2).map(Number);
  const rows = {};
  for (const [at, place] of TEST_PLACES.entries())
    if (wanted.length === 0 || wanted.includes(at + 1)) rows[at + 1] = await testIn(place, at + 1);
  console.table(rows);
  if (Object.values(rows).some(({ code, left }) => code !== 0 || left !== ""))
    throw new Error("in some place the tests failed or left files behind");
});
