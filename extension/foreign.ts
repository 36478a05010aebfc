// What is not text: images, URLs, archives, documents.
//
// omp lets a tool call the built-in one that it replaced, which knows all of these. pi offers no
// such way without an import of the host, but takes images as they are; the rest gets the core's
// own clear message.

import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { ReadFile } from "../index.js";
import { answer, type Context, type ToolResult } from "./host.ts";

/** Something that another reader has to show. */
export interface Foreign {
  path: string;
  mediaType?: string | undefined;
}

/** Providers refuse images above 5 MB once they are encoded. */
const LARGEST_IMAGE = 3_750_000;

const URL_LIKE = /^[a-z][a-z0-9+.-]+:\/\//i;
const INSIDE_CONTAINER = /\.(zip|jar|war|whl|epub|tar|tgz|tar\.\w+|7z|sqlite3?|db|pdf|docx|xlsx|pptx)[:/]/i;

/** Whether a path is none of the file system's. */
export function isUrl(path: unknown): path is string {
  return typeof path === "string" && URL_LIKE.test(path);
}

/** Whether this host can show what the core could not. */
export function isForeign(file: ReadFile, context: Context): boolean {
  if (file.code === "image") return true;
  if (!context.invokeTool) return false;
  return (
    file.code === "binary" ||
    file.code === "utf16" ||
    (file.code === "not_found" && INSIDE_CONTAINER.test(file.path))
  );
}

/** Shows it by the host's means, or says why that cannot be. */
export async function readForeign(
  { path, mediaType }: Foreign,
  context: Context,
  signal: AbortSignal | undefined,
): Promise<ToolResult> {
  if (context.invokeTool) return context.invokeTool({ path }, signal ? { signal } : {});
  if (mediaType === undefined) {
    return answer(`error: \`${path}\` is no file: this host's read opens files only`, { failed: true });
  }
  const file = locate(path, context.cwd);
  const { size } = await stat(file);
  if (size > LARGEST_IMAGE) {
    const megabytes = (size / 1e6).toFixed(1);
    return answer(
      `error: \`${path}\` is an image of ${megabytes} MB, and models take at most ${LARGEST_IMAGE / 1e6} MB\nhint: make a smaller copy and read that`,
      { failed: true },
    );
  }
  const data = (await readFile(file, signal ? { signal } : {})).toString("base64");
  return {
    content: [
      { type: "text", text: `${path} (${mediaType}, ${size} bytes)` },
      { type: "image", data, mimeType: mediaType },
    ],
  };
}

/** The file that the core found under this spelling. */
function locate(path: string, cwd: string): string {
  const plain = path.startsWith("@") ? path.slice(1) : path;
  return plain.startsWith("~/") ? resolve(homedir(), plain.slice(2)) : resolve(cwd, plain);
}
