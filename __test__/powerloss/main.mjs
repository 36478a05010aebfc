// `npm run test:powerloss`: simulates power cuts under real file systems while patches are made, undone and recovered,
// and checks every state that a cut could leave. `npm run test:all` runs only the part `--short`.
//
// It needs Linux, root, FUSE, a loop device, and the programs that make file systems; without them it is reported as
// skipped.

import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { must, needed, root, run, script, step } from "../../scripts/run.mjs";

const HERE = join(root, "__test__", "powerloss");
const SHORT = process.argv.includes("--short");

/** Runs that must be clean: nothing torn, lost or left over, and no error in recovery. */
const OURS = [
  "--fs=ext4 --samples=20",
  "--fs=ext4 --noise --seed=2",
  "--fs=ext4 --noise --slow --seed=3",
  "--fs=ext4 --work=undo",
  "--fs=ext4 --work=undo --noise --seed=4",
  "--fs=ext4 --work=recover --samples=5",
  "--fs=ext4 --size=20000 --samples=2 --most=150",
  "--fs=ext4 --one --samples=20",
  "--fs=ext4 --one --noise --slow --seed=7",
  "--fs=ext4 --one --work=undo --noise --seed=8",
  "--fs=ext4 --one --work=recover --samples=5",
  "--fs=ext4-plain",
  "--fs=ext4-plain --noise --seed=11",
  "--fs=ext4-plain --work=undo",
  "--fs=ext4-plain --work=undo --noise --seed=12",
  "--fs=ext4-plain --one",
  "--fs=ext4-plain --one --noise --seed=13",
  "--fs=ext4-plain --one --work=undo --noise --seed=14",
  "--fs=ext4-plain --work=recover --samples=5",
  "--fs=ext4-plain --traffic --slow --samples=5 --most=150",
  "--fs=ext4-plain --work=undo --traffic --slow --samples=5 --most=150",
  "--fs=ext4-plain --one --traffic --slow --samples=5 --most=150",
  "--fs=ext4-plain --one --work=undo --traffic --slow --samples=5 --most=150",
  "--fs=ext4-plain --one --work=recover --traffic --slow --samples=3 --most=120 --seed=15",
  "--fs=xfs --samples=5",
  "--fs=xfs --noise --samples=5 --seed=5",
  "--fs=xfs --work=undo --samples=5",
  "--fs=xfs --one --noise --samples=5 --seed=9",
  "--fs=btrfs --samples=5",
  "--fs=btrfs --noise --samples=5 --seed=6",
  "--fs=btrfs --work=undo --samples=5",
  "--fs=btrfs --one --samples=5",
  "--fs=btrfs --one --work=undo --noise --samples=5 --seed=10",
];

/** Runs that must not be clean: they show that the rig detects faults. */
const CONTROLS = [
  "--fs=ext4 --writer=naive --noise --slow",
  "--fs=ext4 --writer=careful --noise",
  // Without noise, because a file system that is always busy may write everything before the cut.
  "--fs=ext4 --writer=fast --slow",
];

const SHORT_RUNS = [
  "--fs=ext4 --samples=2 --most=40",
  "--fs=ext4 --work=undo --samples=1 --most=30 --noise",
  "--fs=ext4 --one --samples=2 --most=30 --noise",
];

const HEAD = `| file system | writer | work | writes/flushes | states | torn before recovery | torn | lost | litter | left alone | failed | seconds |
|---|---|---|---|---|---|---|---|---|---|---|---|`;

/** Why the rig cannot run here; undefined if it can. */
function hindrance(runs) {
  if (process.platform !== "linux") return "only Linux has loop devices on FUSE";
  if (process.getuid() !== 0) return "only root can mount";
  if (!existsSync("/dev/fuse")) return "there is no FUSE";
  if (!existsSync("/dev/loop-control")) return "there are no loop devices";
  const systems = [...new Set(runs.map((args) => /--fs=(\w+)/.exec(args)[1]))];
  try {
    needed(systems.map((name) => `mkfs.${name}`));
  } catch (error) {
    return error.message;
  }
}

await script(async () => {
  const runs = SHORT ? SHORT_RUNS : OURS;
  const reason = hindrance(SHORT ? runs : [...runs, ...CONTROLS]);
  if (reason) {
    process.stdout.write(`skipped: the power-loss rig: ${reason}\n`);
    return;
  }
  step("Building the power-loss rig");
  const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
  const args = ["build", "--manifest-path", join(HERE, "Cargo.toml"), "--target-dir", target];
  await must("cargo", args, { quiet: true });
  const rig = join(target, "debug", "powerloss");
  const one = (args) => run(rig, [...args.split(" "), `--dir=${join(tmpdir(), `powerloss-${process.pid}`)}`]);
  step("Cutting the power");
  process.stdout.write(`${HEAD}\n`);
  const wrong = [];
  for (const args of runs) {
    if ((await one(args)).code !== 0) wrong.push(`${args} is not clean`);
  }
  for (const args of SHORT ? [] : CONTROLS) {
    if ((await one(args)).code !== 1) wrong.push(`${args} is clean: the rig does not detect its faults`);
  }
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
});
