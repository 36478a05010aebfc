// Plays a situation in a real host with a scripted model, and reports the result.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { workbench } from "../../__test__/hosts/bench.mjs";
import { spliced } from "../tokens/dialects.mjs";
import { verdict, wasShown } from "./judge.mjs";
import { linesOf } from "./text.mjs";

/** How often a refused call is corrected and sent again. */
const RETRIES = 2;
/** No run needs more turns of the model. */
const MAX_TURNS = 40;

/**
 * Starts a host with one arm's extensions for `use`, which plays situations there, each in a new conversation.
 *
 * @param {object} arm
 * @param {(bench: object, play: Function) => Promise<T>} use
 * @returns {Promise<T>}
 * @template T
 */
export async function onStage(arm, use) {
  const bench = await workbench(arm.host, { extensions: arm.extensions });
  try {
    const rpc = await bench.rpc(["--session-dir", bench.sessions]);
    const result = await use((situation, spoil) => play(arm, bench, rpc, situation, spoil));
    await rpc.close();
    return result;
  } finally {
    await bench.close();
  }
}

/** Plays one run. `spoil` puts a model's mistake into the first call that edits. */
async function play(arm, bench, rpc, situation, spoil) {
  const { path = "file.txt", before, steps, want } = situation;
  await bench.reset({ [path]: before });
  await rpc.send({ type: "new_session" });
  const copier = new Copier(arm, join(bench.work, path), path, spoil);
  const talk = copier.talk(steps);
  const turn = (seen) => {
    const { value, done } = talk.next(seen.last);
    return done ? { text: "done" } : { calls: [value] };
  };
  const { script } = await rpc.prompt(Array(MAX_TURNS).fill(turn));
  if (script.failures.length > 0) throw script.failures[0];
  const end = readFileSync(join(bench.work, path), "utf8");
  const { untouched = before, answers, counts } = copier;
  const came = verdict({ want, untouched, end, said: answers.join("\n") });
  return {
    verdict: came,
    strict: came === "pass" && wasShown({ before, untouched, end, answers }),
    spoiled: copier.spoiled,
    ...counts,
    transcript: copier.transcript,
    end,
  };
}

/** A scripted model that reads, copies what it was shown, and corrects a call by what the refusal shows. */
class Copier {
  counts = { calls: 0, retries: 0, tokens: 0 };
  /** The answers since another program changed the file. */
  answers = [];
  transcript = [];
  /** Whether the mistake was possible in this arm. */
  spoiled = false;
  /** The file as another program left it. */
  untouched;
  #files = new Map();
  #dialect;
  #file;
  #path;
  #spoil;

  constructor({ Dialect }, file, path, spoil) {
    [this.#file, this.#path, this.#spoil] = [file, path, spoil];
    this.#files.set(path, this.#onDisk());
    this.#dialect = new Dialect(this.#files);
  }

  *talk(steps) {
    yield* this.#read();
    for (const { now, edits, later, still } of steps) {
      if (now !== undefined) {
        writeFileSync(this.#file, now);
        this.untouched = now;
        this.answers.length = 0;
      } else if (!(yield* this.#edit(edits, later ?? edits, still))) return;
    }
  }

  *#read() {
    this.#files.set(this.#path, this.#onDisk());
    this.#dialect.learnRead(this.#path, yield* this.#ask(this.#dialect.read(this.#path)));
  }

  /** Sends edits until they land; returns false if they do not. */
  *#edit(edits, later, still) {
    let wanted = edits.map((edit) => ({ path: this.#path, ...edit }));
    for (let tries = 0; tries <= RETRIES; tries++) {
      if (!wanted.every((edit) => this.#dialect.canWrite(edit))) yield* this.#read();
      const before = readFileSync(this.#file, "utf8");
      const right = this.#dialect.edit(wanted);
      const wrong = this.#spoil?.(right, wanted, this.#dialect);
      this.spoiled ||= wrong !== undefined;
      const answer = yield* this.#ask(wrong ?? right);
      const hasLanded = still || readFileSync(this.#file, "utf8") !== before;
      if (hasLanded) {
        const lines = this.#files.get(this.#path);
        this.#files.set(
          this.#path,
          spliced(lines, wanted, (edit) => edit.lines),
        );
        this.#dialect.learnEdit(wanted, answer);
        return true;
      }
      // Make the mistake only once: the answer has shown it to the model.
      if (wrong !== undefined) this.#spoil = undefined;
      this.counts.retries++;
      this.#files.set(this.#path, this.#onDisk());
      this.#dialect.learnRefusal(wanted, answer);
      wanted = later.map((edit) => ({ path: this.#path, ...edit }));
    }
    return false;
  }

  *#ask(call) {
    this.counts.calls++;
    const answer = yield call;
    this.counts.tokens += countTokens(JSON.stringify(call.arguments)) + countTokens(answer);
    this.answers.push(answer);
    this.transcript.push({ call, answer });
    return answer;
  }

  #onDisk() {
    return linesOf(readFileSync(this.#file, "utf8"));
  }
}
