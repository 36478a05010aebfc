// A scripted model: a chat-completions server on loopback that gives the answers which a test has scripted.
//
// A script is a list of turns, one for each request that offers tools. A turn is a reply, or a
// function from what the model has seen so far to a reply, so that a script can use an anchor out of
// an earlier tool result, or change a file while the model does not look. Requests without tools (titles,
// summaries) are answered on the side and use up no turn.

import { createServer } from "node:http";

/**
 * @typedef {{ name: string, arguments: object | string }} Call  a string is sent unchanged, even if it is broken JSON
 * @typedef {{ text?: string, calls?: Call[], promptTokens?: number, cut?: boolean, hang?: boolean, pace?: number }} Reply
 *   promptTokens: the usage to report; cut: say that the token limit was reached; hang: send all but the end, and never go on; pace: ms between pieces
 * @typedef {{ request: object, tools: string[], system: string, results: Result[], last: string }} Seen
 * @typedef {{ id: string, name: string, text: string }} Result
 * @typedef {Reply | ((seen: Seen) => Reply | Promise<Reply>)} Turn
 */

const SUMMARY = "A summary of what was done so far.";

/** Starts a model. `play` gives it a script; `close` ends it. */
export async function startModel() {
  let script = new Script([]);
  const server = createServer((request, response) => {
    answer(request, response, () => script).catch((error) => {
      script.failures.push(error);
      response.destroy();
    });
  });
  await new Promise((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    /** Replaces the script. `others` are scripts of sub-agents: `[{ when: /words of the task/, turns }]`. */
    play(turns, others = []) {
      script = new Script(turns, others);
      return script;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

class Script {
  /** Each request that used up a turn, as the model saw it. */
  seen = [];
  /** The requests that used up no turn, such as for a title. */
  asides = [];
  /** Errors in the script itself: a missing anchor, a file that could not be changed. */
  failures = [];

  constructor(turns, others = []) {
    this.turns = [...turns];
    this.others = others.map(({ when, turns }) => ({ when, turns: [...turns], seen: [] }));
  }

  /** The reply to a request; after the last turn it is plain text, which ends the agent's loop. */
  async reply(request) {
    const view = see(request);
    if (view.tools.length === 0 || request.tool_choice === "none") {
      this.asides.push(view);
      return { text: SUMMARY };
    }
    const part = this.others.find(({ when }) => when.test(view.user)) ?? this;
    part.seen.push(view);
    const turn = part.turns.shift() ?? { text: "done" };
    try {
      return typeof turn === "function" ? await turn(view) : turn;
    } catch (error) {
      this.failures.push(error);
      return { text: "the script failed" };
    }
  }

  /** Throws the script's first error, or an error if turns were not played. */
  assertPlayed() {
    if (this.failures.length > 0) throw this.failures[0];
    const left = this.turns.length + this.others.reduce((sum, { turns }) => sum + turns.length, 0);
    if (left > 0) throw new Error(`${left} turns of the script were not played`);
  }
}

/** A reply that makes tool calls, all at once. */
export const calls = (...list) => ({ calls: list.map(([name, args]) => ({ name, arguments: args })) });

/** A reply that makes one tool call. */
export const call = (name, args) => calls([name, args]);

/** The anchor of the first line of `text` whose content is `content`: a string, or a pattern in it. */
export function anchor(text, content) {
  for (const line of text.split("\n")) {
    const found = /^[ +]?(\d+:[0-9a-z]+)\|(.*)$/.exec(line);
    if (found && (content instanceof RegExp ? content.test(found[2]) : found[2] === content)) return found[1];
  }
  throw new Error(`no tagged line reads ${content} in:\n${text}`);
}

function see(request) {
  const names = new Map();
  const results = [];
  const said = { system: [], user: [] };
  for (const { role, content, tool_calls, tool_call_id } of request.messages) {
    for (const { id, function: made } of tool_calls ?? []) names.set(id, made.name);
    if (role === "tool")
      results.push({ id: tool_call_id, name: names.get(tool_call_id), text: plain(content) });
    else if (role === "user") said.user.push(plain(content));
    else if (role !== "assistant") said.system.push(plain(content));
  }
  return {
    request,
    tools: (request.tools ?? []).map((tool) => tool.function.name),
    system: said.system.join("\n"),
    user: said.user.join("\n"),
    results,
    last: results.at(-1)?.text ?? "",
  };
}

function plain(content) {
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => part.text ?? "").join("");
}

async function answer(request, response, script) {
  let body = "";
  for await (const piece of request.setEncoding("utf8")) body += piece;
  if (!request.url.endsWith("/chat/completions")) {
    const list = { object: "list", data: [{ id: "scripted", object: "model", owned_by: "test" }] };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(list));
    return;
  }
  const asked = JSON.parse(body);
  await stream(response, asked.model, await script().reply(asked));
}

let serial = 0;

/** Sends a reply in pieces, as a real model does: every host asks for a stream. */
async function stream(
  response,
  model,
  { text = "", calls = [], promptTokens = 100, cut = false, hang = false, pace = 0 },
) {
  const head = { id: `chat-${++serial}`, object: "chat.completion.chunk", created: 0, model };
  const send = async (delta, finish_reason = null, extra = {}) => {
    const chunk = { ...head, choices: [{ index: 0, delta, finish_reason }], ...extra };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    if (pace > 0) await new Promise((resolve) => setTimeout(resolve, pace));
  };
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  await send({ role: "assistant", content: "" });
  for (const content of pieces(text)) await send({ content });
  for (const [index, { name, arguments: args }] of calls.entries()) {
    const id = `call_${++serial}`;
    await send({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] });
    const written = typeof args === "string" ? args : JSON.stringify(args);
    for (const piece of pieces(written))
      await send({ tool_calls: [{ index, function: { arguments: piece } }] });
  }
  if (hang) return;
  const usage = { prompt_tokens: promptTokens, completion_tokens: 10, total_tokens: promptTokens + 10 };
  await send({}, cut ? "length" : calls.length > 0 ? "tool_calls" : "stop", { usage });
  response.end("data: [DONE]\n\n");
}

const pieces = (text) => text.match(/[\s\S]{1,60}/g) ?? [];
