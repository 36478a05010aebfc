// What is not text: images, URLs, archives, documents.
//
// omp lets a tool call the built-in one that it replaced, which knows all of these. pi offers no
// such way without an import of the host, but takes images as they are; the rest gets the core's
// own clear message.

import { readFile, stat } from "node:fs/promises";
import type { HostReadKind, ReadFile } from "../index.js";
import { answer, type Context, type ToolResult } from "./host.ts";
import { messageOf } from "./values.ts";

/** Providers refuse images above 5 MB once they are encoded. */
const LARGEST_IMAGE = 3_750_000;
const TAKEN_BY_MODELS = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** The kinds of files that this host can show by itself. */
export function hostReads({ invokeTool }: Context): HostReadKind[] {
  return invokeTool ? ["image", "binary", "utf16", "archive_member", "url"] : ["image"];
}

/**
 * Shows a file by the host's own reader, or says why that is impossible. Errors do not affect the other files
 * of the call.
 */
export async function readByHost(
  file: ReadFile,
  context: Context,
  signal: AbortSignal | undefined,
): Promise<ToolResult> {
  try {
    if (context.invokeTool) return await context.invokeTool({ path: file.path }, signal ? { signal } : {});
    return await image(file, context, signal);
  } catch (error) {
    signal?.throwIfAborted();
    return failure(messageOf(error));
  }
}

const failure = (text: string) => answer(`error: ${text}`, { failed: true });

async function image(
  { path, absolutePath, mediaType = "" }: ReadFile,
  context: Context,
  signal: AbortSignal | undefined,
): Promise<ToolResult> {
  const { size } = await stat(absolutePath);
  // pi 1.5 converts every image to what the model takes. pi 0.73, recognised by its missing trust API, passes
  // images on unchanged.
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
  const data = (await readFile(absolutePath, signal ? { signal } : {})).toString("base64");
  return {
    content: [
      { type: "text", text: `${path} (${mediaType}, ${size} bytes)` },
      { type: "image", data, mimeType: mediaType },
    ],
  };
}
