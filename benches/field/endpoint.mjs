// A relay between a host and a model's endpoint: adds the key, waits if the endpoint asks for that, ends endless runs.
//
// The host talks to a server on loopback that forwards each request, so the host never sees the key, and a run has a
// limit of steps whatever the model does.

import { createServer } from "node:http";

/** How often a request that the endpoint postpones is sent again, and the longest wait before that, in milliseconds. */
const MAX_PUT_OFF = 5;
const MAX_WAIT = 60_000;

/** A problem of the endpoint that only a person can solve. */
export class EndpointError extends Error {}

const PROBE_TOOL = {
  type: "function",
  function: { name: "answer", description: "Answers.", parameters: { type: "object", properties: {} } },
};

/**
 * Sends the endpoint one request with a tool; throws an explanation if it cannot be used.
 *
 * @param {{ url: string, model: string, key?: string, timeout: number }} endpoint
 */
export async function probe(endpoint) {
  const { url, model } = endpoint;
  const messages = [{ role: "user", content: "Say hello." }];
  let response;
  try {
    response = await post(endpoint, { model, messages, tools: [PROBE_TOOL], max_tokens: 16 });
  } catch (error) {
    const why = error.name === "TimeoutError" ? "no answer in time" : (error.cause?.code ?? error.message);
    throw new EndpointError(`nothing answers at ${url}: ${why}`);
  }
  const said = (await response.text()).slice(0, 300);
  if (response.ok) {
    if (isChat(said)) return;
    throw new EndpointError(`${url} is no chat endpoint: it answers ${JSON.stringify(said.slice(0, 80))}`);
  }
  if (response.status === 401 || response.status === 403) {
    throw new EndpointError(`${url} needs a key: set FIELD_API_KEY (HTTP ${response.status})`);
  }
  if (/\btools?\b|function.?call/i.test(said)) {
    throw new EndpointError(`${url} does not accept tools, which an agent needs: ${said}`);
  }
  throw new EndpointError(`${url} refuses \`${model}\` (HTTP ${response.status}): ${said}`);
}

const isChat = (text) => /^\s*\{[\s\S]*"choices"/.test(text) || text.startsWith("data:");

/**
 * Starts the server that a host talks to.
 *
 * @param {object} endpoint as for `probe`
 * @param {{ steps: number, onTurn?: (turn: number, request: object) => void }} limits `onTurn` is called for each
 *   request before it is forwarded
 */
export async function startRelay(endpoint, { steps, onTurn = () => {} }) {
  const log = { turns: 0, usage: 0, putOff: 0, limit: false, exchanges: [] };
  const stop = new AbortController();
  const server = createServer((request, response) => {
    relay(request, response).catch((error) => {
      log.exchanges.push({ error: reasonOf(error) });
      if (response.headersSent) response.destroy();
      else response.writeHead(502, JSON_TYPE).end(JSON.stringify({ error: { message: reasonOf(error) } }));
    });
  });

  async function relay(request, response) {
    let body = "";
    for await (const piece of request.setEncoding("utf8")) body += piece;
    if (!request.url.endsWith("/chat/completions")) {
      response.writeHead(200, JSON_TYPE).end(JSON.stringify({ object: "list", data: [] }));
      return;
    }
    const asked = { ...JSON.parse(body), model: endpoint.model };
    log.turns++;
    if (log.turns > steps) {
      log.limit = true;
      ending(response, asked.model);
      return;
    }
    await onTurn(log.turns, asked);
    const answer = await patiently(() => post(endpoint, asked, stop.signal), log);
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "text/plain" });
    let text = "";
    const decoder = new TextDecoder();
    for await (const piece of answer.body ?? []) {
      text += decoder.decode(piece, { stream: true });
      response.write(piece);
    }
    response.end();
    log.usage += Number(/"total_tokens"\s*:\s*(\d+)(?![\s\S]*"total_tokens")/.exec(text)?.[1] ?? 0);
    log.exchanges.push({ request: asked, status: answer.status, response: text });
  }

  await new Promise((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    log,
    close() {
      stop.abort();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

const JSON_TYPE = { "content-type": "application/json" };

function post({ url, key, timeout }, body, signal) {
  const headers = { ...JSON_TYPE, ...(key && { authorization: `Bearer ${key}` }) };
  const limits = [AbortSignal.timeout(timeout), ...(signal ? [signal] : [])];
  const target = `${url.replace(/\/$/, "")}/chat/completions`;
  return fetch(target, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
    signal: AbortSignal.any(limits),
  });
}

/** Sends a request, and again while the endpoint postpones it. */
async function patiently(send, log) {
  for (let tries = 0; ; tries++) {
    const response = await send();
    if (response.status !== 429 || tries === MAX_PUT_OFF) return response;
    await response.body?.cancel();
    log.putOff++;
    const asked = Number(response.headers.get("retry-after") ?? 2 ** tries) * 1000;
    await new Promise((resolve) => setTimeout(resolve, Math.min(asked, MAX_WAIT)));
  }
}

/** Sends the last answer of a run that has used up its steps. */
function ending(response, model) {
  const chunk = (delta, finish_reason) =>
    `data: ${JSON.stringify({ id: "limit", object: "chat.completion.chunk", model, choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(
    `${chunk({ role: "assistant", content: "(step limit)" }, null)}${chunk({}, "stop")}data: [DONE]\n\n`,
  );
}

const reasonOf = (error) =>
  error.name === "TimeoutError" ? "the model did not answer in time" : error.message;
