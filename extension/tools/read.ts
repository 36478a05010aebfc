// The tool `read`: tagged lines of text, and the host's own reader for everything else.

import type { JsonSchema, ReadRequest } from "../../index.js";
import { type Content, type Tool, warn } from "../host.ts";
import { hostReads, readByHost } from "../host-reader.ts";
import type { HostSessions } from "../host-sessions.ts";
import { requestOf } from "../one-shape.ts";
import type { Prompts } from "../prompts.ts";
import { readRows } from "../render/index.ts";
import { commonFields } from "./shared.ts";

export function readTool(prompts: Prompts, schema: JsonSchema, sessions: HostSessions): Tool {
  return {
    name: "read",
    label: "read",
    description: prompts.read,
    promptSnippet: prompts.snippets.read,
    ...commonFields("read", schema, sessions),
    annotations: { readOnlyHint: true },
    approval: "read",
    ...readRows,
    async execute(_id, params, signal, _onUpdate, context) {
      const hostSession = await sessions.ready(context);
      const call = requestOf(hostSession.session, "read", params);
      const request = "request" in call ? call.request : {};
      const { text, files, ...details } = await hostSession.session.read(request as ReadRequest, signal, {
        hostReads: hostReads(context),
      });
      warn(context, details.warnings);
      const content: Content[] = [];
      const shown = await hostSession.withNotes(text);
      if (shown !== "") content.push({ type: "text", text: shown });
      for (const file of files) {
        if (file.hostReads === undefined) continue;
        const result = await readByHost(file, context, signal);
        content.push(...result.content);
        file.ok = !result.isError;
        if (file.ok) {
          delete file.error;
          delete file.code;
        }
      }
      const failed = !files.some(({ ok }) => ok);
      return { content, details: { ...details, files, failed }, ...(failed ? { isError: true } : {}) };
    },
  };
}
