// What is not text: images, URLs, archives, documents.
//
// omp lets a tool call the built-in one that it replaced, which knows all of these. pi offers no
// such way without an import of the host, but takes images as they are; the rest gets the core's
// own clear message.

import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { ReadFile } from "../index.js";
import { answer, type Context, type ToolResult } from "./host.ts";

/** Something that another reader has to show. */
export interface HostRead {
  path: string;
  mediaType?: string | undefined;
}

/** Providers refuse images above 5 MB once they are encoded. */
const LARGEST_IMAGE = 3_750_000;
const TAKEN_BY_MODELS = ["image/png", "image/jpeg", "image/gif", "image/webp"];

const URL_LIKE = /^[a-z][a-z0-9+.-]+:\/\//i;
const INSIDE_CONTAINER = /\.(zip|jar|war|whl|epub|tar|tgz|tar\.\w+|7z|sqlite3?|db|pdf|docx|xlsx|pptx)[:/]/i;

/** Whether a path is none of the file system's. */
export function isUrl(path: unknown): path is `${string}://${string}` {
  return typeof path === "string" && URL_LIKE.test(path) && !path.startsWith("file:");
}

/** The path that a `file:` URL stands for; every other path as it is. */
export function plainPath(path: string): string {
  try {
    return path.startsWith("file://") ? fileURLToPath(path) : path;
  } catch {
    // The core says what is wrong with it.
    return path;
  }
}

/** Whether this host can show what the core could not. */
export function isForHost(file: ReadFile, context: Context): boolean {
  if (file.code === "image") return true;
  if (!context.invokeTool) return false;
  return (
    file.code === "binary" ||
    file.code === "utf16" ||
    (file.code === "not_found" && INSIDE_CONTAINER.test(file.path))
  );
}

/** Shows it by the host's means, or says why that cannot be. It never spoils what else was read. */
export async function readByHost(
  foreign: HostRead,
  context: Context,
  signal: AbortSignal | undefined,
): Promise<ToolResult> {
  try {
    if (context.invokeTool) return await context.invokeTool({ path: foreign.path }, signal ? { signal } : {});
    if (foreign.mediaType !== undefined) return await image(foreign.path, foreign.mediaType, context, signal);
    return failure(`\`${foreign.path}\` is no file: this host's read opens files only`);
  } catch (error) {
    signal?.throwIfAborted();
    return failure(error instanceof Error ? error.message : String(error));
  }
}

const failure = (text: string) => answer(`error: ${text}`, { failed: true });

async function image(
  path: string,
  mediaType: string,
  context: Context,
  signal: AbortSignal | undefined,
): Promise<ToolResult> {
  const file = locate(path, context.cwd);
  const { size } = await stat(file);
  // pi 1.5 makes every image fit for the model. 0.73, which also knows no trust, passes it on.
  if (context.isProjectTrusted === undefined) {
    if (!TAKEN_BY_MODELS.includes(mediaType)) {
      return failure(`models take no ${mediaType}\nhint: turn \`${path}\` into a PNG and read that`);
    }
    if (size > LARGEST_IMAGE) {
      const [is, most] = [size, LARGEST_IMAGE].map((bytes) => `${(bytes / 1e6).toFixed(2)} MB`);
      return failure(
        `\`${path}\` has ${is}, and models take images of at most ${most}\nhint: make a smaller copy and read that`,
      );
    }
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
