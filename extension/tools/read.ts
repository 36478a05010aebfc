// The tool `read`: tagged lines of text, and the host's own reader for everything else.

import type { JsonSchema, ReadFile, ReadRequest, ReadWishes } from "../../index.js";
import { type Context, type Tool, type ToolResult, warn } from "../host.ts";
import { type HostRead, isForHost, isUrl, plainPath, readByHost } from "../host-reader.ts";
import type { HostSessions } from "../host-sessions.ts";
import { unwrap } from "../lenient-arguments.ts";
import type { Prompts } from "../prompts.ts";
import { readRows } from "../render/index.ts";
import { taking } from "./shared.ts";

export function readTool(prompts: Prompts, schema: JsonSchema, sessions: HostSessions): Tool {
  return {
    name: "read",
    label: "read",
    description: prompts.read,
    promptSnippet: prompts.snippets.read,
    ...taking(schema),
    approval: "read",
    ...readRows,
    async execute(_id, params, signal, _onUpdate, context) {
      const hostSession = await sessions.ready(context);
      const { own, urls } = divide(localised(unwrap(params)));
      if (own === undefined) return withHostReads(NOTHING_READ, urls, context, signal);

      const { text, ...details } = await hostSession.session.read(own, signal);
      warn(context, details.warnings);
      const foreign = details.files.filter((file) => isForHost(file, context));
      const shown = foreign.reduce(below, text);
      return withHostReads(
        { text: hostSession.noted(shown), details },
        [...foreign.map(({ path, mediaType }) => ({ path, mediaType })), ...urls],
        context,
        signal,
      );
    },
  };
}

interface Read {
  text: string;
  details: { kind: string; files: ReadFile[]; truncated: boolean };
}

const NOTHING_READ: Read = { text: "", details: { kind: "read", files: [], truncated: false } };

type Item = string | ({ path: string } & ReadWishes);

/** The request without the paths that are URLs, if anything is left of it, and those URLs. */
function divide(request: unknown): { own: ReadRequest | undefined; urls: HostRead[] } {
  const { path, paths, ...wishes } = (request ?? {}) as ReadRequest;
  const all = [...(path === undefined ? [] : [path]), ...(Array.isArray(paths) ? paths : [])];
  const urls = all.map(nameOf).filter(isUrl);
  // Without a URL the request goes to the core as it is: the core explains what is wrong with it.
  if (urls.length === 0) return { own: request as ReadRequest, urls: [] };
  const rest = all.filter((item) => !isUrl(nameOf(item)));
  return {
    own: rest.length > 0 ? { ...wishes, paths: rest } : undefined,
    urls: urls.map((path) => ({ path })),
  };
}

/** The request with `file:` URLs as the paths that they stand for. */
function localised(request: unknown): unknown {
  if (typeof request !== "object" || request === null) return request;
  const { path, paths } = request as ReadRequest;
  const plain = (item: Item): Item => {
    const name = nameOf(item);
    if (typeof name !== "string" || !name.startsWith("file:")) return item;
    return typeof item === "string" ? plainPath(name) : { ...item, path: plainPath(name) };
  };
  return {
    ...request,
    ...(path === undefined ? {} : { path: plain(path) }),
    ...(Array.isArray(paths) ? { paths: paths.map(plain) } : {}),
  };
}

const nameOf = (item: Item): string | undefined => (typeof item === "string" ? item : item?.path);

/** The text in which a file that another reader shows is no error any more. */
function below(text: string, { path, error }: ReadFile): string {
  return text.replace(`error: ${error}`, () => `${path}: see below`);
}

/** What the core read, and after it what the host shows of the rest. */
async function withHostReads(
  { text, details }: Read,
  foreign: HostRead[],
  context: Context,
  signal: AbortSignal | undefined,
): Promise<ToolResult> {
  const results: ToolResult[] = [];
  for (const one of foreign) results.push(await readByHost(one, context, signal));
  const read = details.files.some(({ ok }) => ok);
  // A lone image needs no text that points to it.
  const own = text !== "" && (read || foreign.length !== 1 || details.files.length !== 1);
  const failed = !read && !results.some(({ isError }) => !isError);
  return {
    content: [
      ...(own ? [{ type: "text" as const, text }] : []),
      ...results.flatMap(({ content }) => content),
    ],
    details: {
      ...details,
      files: [
        ...details.files.filter(({ path, ok }) => ok || !foreign.some((one) => one.path === path)),
        ...foreign.map(({ path }, at) => ({ path, ok: !results[at]?.isError, from: 0, to: 0, total: 0 })),
      ],
      failed,
    },
    ...(failed ? { isError: true } : {}),
  };
}
