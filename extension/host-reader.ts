// Reads what is not text: images, URLs, archives, documents.
//
// omp lets a tool call the built-in tool that it replaced, which reads all of these. pi offers no such way without an
// import of the host, but accepts images; for the rest, the core's own error stays.

import { readFile, stat } from "node:fs/promises";
import type { HostReadKind, ReadFile } from "../index.js";
import { type Context, type ToolResult, textResult } from "./host.ts";
import { messageOf } from "./values.ts";

/** The largest image, in bytes: providers refuse more than 5 MB of base64. */
const MAX_IMAGE_BYTES = 3_750_000;
const ACCEPTED_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** The kinds of files that this host can show by itself. */
export function hostReads({ invokeTool }: Context): HostReadKind[] {
  return invokeTool ? ["image", "binary", "utf16", "archive_member", "url"] : ["image"];
}

/**
 * Reads a file with the host's own reader. An error becomes the file's result and does not affect the other files of
 * the call.
 */
export async function readByHost(
  file: ReadFile,
  context: Context,
  signal: AbortSignal | undefined,
): Promise<ToolResult> {
  try {
    if (context.invokeTool) return await context.invokeTool({ path: file.path }, signal ? { signal } : {});
    return await readImage(file, context, signal);
  } catch (error) {
    signal?.throwIfAborted();
    return failure(messageOf(error));
  }
}

const failure = (text: string) => textResult(`error: ${text}`, { failed: true });

async function readImage(
  { path, absolutePath, mediaType = "" }: ReadFile,
  context: Context,
  signal: AbortSignal | undefined,
): Promise<ToolResult> {
  const { size } = await stat(absolutePath);
  // pi 1.5 converts every image to a format that the model accepts. pi 0.73, recognised by its missing trust API,
  // passes images on unchanged.
  if (context.isProjectTrusted === undefined) {
    if (!ACCEPTED_TYPES.includes(mediaType)) {
      return failure(`models take no ${mediaType}\nhint: turn \`${path}\` into a PNG and read that`);
    }
    if (size > MAX_IMAGE_BYTES) {
      const [is, most] = [size, MAX_IMAGE_BYTES].map((bytes) => `${(bytes / 1e6).toFixed(2)} MB`);
      return failure(
        `\`${path}\` has ${is}, and models take images of at most ${most}\nhint: make a smaller copy and read that`,
      );
    }
  }
  const data = (await readFile(absolutePath, signal ? { signal } : {})).toString("base64");
  return {
    content: [
      { type: "text", text: `${path} (${mediaType}, ${size} bytes)` },
      { type: "image", data, mimeType: mediaType },
    ],
  };
}
