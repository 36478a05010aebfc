// The tool `grep`: tagged matches, with progress while a search is long.

import type { GrepRequest } from "../../index.js";
import type { Core } from "../core.ts";
import { given } from "../fits.ts";
import { answer, type Tool, warn } from "../host.ts";
import { prompts } from "../prompts.ts";
import { grepRows } from "../render/index.ts";
import type { Workspaces } from "../workspaces.ts";
import { taking } from "./shared.ts";

export function grepTool(core: Core, workspaces: Workspaces): Tool {
  return {
    name: "grep",
    label: "grep",
    description: prompts.grep,
    promptSnippet: prompts.snippets.grep,
    ...taking(core.grepSchema()),
    approval: "read",
    ...grepRows,
    async execute(_id, params, signal, onUpdate, context) {
      const workspace = await workspaces.ready(context);
      const request = given(params) as GrepRequest;
      const { text, ...details } = await workspace.session.grep(
        request,
        signal,
        onUpdate &&
          ((progress) => {
            const { searched, matches } = progress;
            const so_far = `${searched} files searched, ${matches} matches`;
            onUpdate(answer(so_far, { kind: "progress", searched, matches }));
          }),
      );
      warn(context, details.warnings);
      const failed = details.kind === "refused";
      return answer(workspace.noted(text), { ...details, pattern: request?.pattern, failed });
    },
  };
}
