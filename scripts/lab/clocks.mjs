// `npm run test:clocks`: runs every test with a clock, a wait or a race in it again and again.
//
//   npm run test:clocks                  30 times
//   npm run test:clocks -- --times 100   more often
//   npm run test:clocks -- session core  only groups with one of the words in their names
//
// Run `npm test` first, since this does not build the addon. Some tests may fail only on an idle machine, others only
// on a busy one: run it on both. It ends with a row for each group: how often it ran, failed, and how long it took.

import { availableParallelism, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { run, script } from "../run.mjs";
import { count, failures } from "../test/tally.mjs";

/** Rust tests by package and target, with their full paths. */
const RUST = [
  [
    ["hashline-core", "--lib"],
    [
      "grep::pattern::tests::a_pattern_that_would_take_very_much_memory_is_refused_at_once",
      "transaction::at_once::tests::every_thread_waits_with_an_item_of_its_own",
    ],
  ],
  [
    ["hashline-core", "--test", "all"],
    [
      "long_memory::fifty_applies_at_once_all_land",
      "memory_kill::what_a_killed_process_saved_is_readable_and_never_wrong",
      "transaction::one_writer_at_a_time_and_the_other_is_told_who",
      "transaction_kill::a_process_killed_at_any_moment_leaves_all_or_nothing",
      "transaction_recovery::a_journal_in_another_home_is_found",
      "transaction_session::a_file_that_is_being_saved_loses_nothing",
      "transaction_session::neighbours_lose_nothing",
      "transaction_session::temporary_files_of_the_dead_are_swept_and_others_are_not",
    ],
  ],
  [["hashline-wire", "--test", "all"], ["session_grep::files_may_change_and_vanish_during_the_walk"]],
  [
    ["hashline-cli", "--test", "all"],
    [
      "cli_processes::a_program_that_was_killed_leaves_all_files_old_or_all_new",
      "cli_processes::processes_at_once_lose_no_edit",
    ],
  ],
];

/** Test files that Node runs, with words from the names of the tests. */
const NODE = [
  [
    "__test__/session.test.mjs",
    [
      "a signal that fires during a search",
      "calls that wait for a thread",
      "one signal serves many calls",
      "two searches run at a time",
      "does not block the event loop",
      "many calls at once",
      "let timers and input run in between",
      "a process ends when its last call is done",
      "a worker that is terminated",
      "another process knows what was shown",
    ],
  ],
  ["__test__/transaction.test.mjs", ["an abort at any time", "that wait for another process"]],
  ["__test__/field.test.mjs", ["an endpoint that cannot be used", "put off", "a model that does not end"]],
  ["__test__/report.test.mjs", ["a terminal shows the progress of a part"]],
  ["__test__/extension/after-apply.test.mjs", ["a command that hangs is ended"]],
  ["__test__/extension/tools.test.mjs", ["a search stops when it is told to"]],
  ["__test__/hosts/pi.test.mjs", ["an abort during a large patch", "a long grep tells how far it is"]],
];

/** Runs a group once and returns how many tests failed; a test that no longer exists counts as failed. */
async function once({ kind, program, args, tests }, report) {
  const { code, text } = await run(program, args, { quiet: true, mayFail: true });
  const { passed, failed } = count(kind, text);
  for (const { name, said } of failures(kind, text)) report(name, said);
  if (code === 0 && passed >= tests) return 0;
  if (failed === 0) report(`${passed} of ${tests} tests passed, exit code ${code}`, text.slice(-2000));
  return Math.max(failed, 1);
}

await script(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { times: { type: "string", default: "30" } },
  });
  const times = Number(values.times);
  if (!(times > 0)) throw new Error(`--times: \`${values.times}\` is not a number above 0`);
  const own = Number(process.versions.node.split(".")[0]);
  const reader = own < 22 ? ["--import", "./__test__/typescript.mjs"] : [];
  const groups = [
    ...RUST.map(([target, names]) => ({
      name: target.join(" "),
      kind: "cargo",
      program: "cargo",
      args: ["test", "-p", ...target, "--", "--exact", ...names],
      tests: names.length,
    })),
    ...NODE.map(([file, names]) => ({
      name: file,
      kind: "node",
      program: process.execPath,
      args: [
        ...reader,
        "--test",
        "--test-reporter=tap",
        ...names.map((name) => `--test-name-pattern=${name}`),
        file,
      ],
      tests: names.length,
    })),
  ]
    .filter(({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)))
    .map((group) => ({ ...group, runs: 0, failed: 0, seconds: [] }));
  for (let time = 1; time <= times; time++) {
    for (const group of groups) {
      const began = performance.now();
      group.failed += await once(group, (name, said) =>
        process.stdout.write(`\ntime ${time}, ${group.name}: ${name}\n${said}\n`),
      );
      group.runs += 1;
      group.seconds.push((performance.now() - began) / 1000);
    }
    const failed = groups.reduce((sum, group) => sum + group.failed, 0);
    process.stdout.write(`${time} of ${times}, ${failed} failed, load ${loadavg()[0].toFixed(1)}\n`);
  }
  console.table(
    groups.map(({ name, tests, runs, failed, seconds }) => {
      const [least, most] = [Math.min(...seconds), Math.max(...seconds)].map((time) =>
        Number(time.toFixed(1)),
      );
      return { name, tests, runs, failed, "least s": least, "most s": most };
    }),
  );
  process.stdout.write(`${availableParallelism()} processors\n`);
  if (groups.some(({ failed }) => failed > 0)) throw new Error("a test depends on the clock, or is wrong");
});
