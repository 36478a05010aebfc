// A plugin for opencode: `read` shows every line as LINE#ID|text, `edit` changes lines by these references.
// Copy it to .opencode/plugins/ of a project, or to ~/.config/opencode/plugins/, beside a package.json that
// depends on pi-hash.

import { tool } from "@opencode-ai/plugin";
import { createHashlineEditTool } from "pi-hash/omo";

const { schema } = tool;

/** @type {import("@opencode-ai/plugin").Plugin} */
export const Hashline = async ({ directory }) => {
  const hashline = createHashlineEditTool({ root: directory });
  const { description, properties } = hashline.parameters.properties.edits.items;
  const said = (name) => properties[name].description ?? description ?? name;
  const edit = schema.object({
    op: schema.enum(["replace", "append", "prepend"]).describe(said("op")),
    pos: schema.string().optional().describe(said("pos")),
    end: schema.string().optional().describe(said("end")),
    lines: schema.array(schema.string()).describe(said("lines")),
  });
  return {
    tool: {
      read: tool({
        description:
          "Read a file. Every line comes as LINE#ID|text; LINE#ID is what edit takes as pos and end.",
        args: {
          filePath: schema.string().describe("The file."),
          offset: schema.number().optional().describe("The first line, counted from 1."),
          limit: schema.number().optional().describe("The most lines."),
        },
        async execute({ filePath, offset, limit }, { abort }) {
          const { text } = await hashline.session.read({ path: filePath, offset, limit }, abort);
          return text;
        },
      }),
      edit: tool({
        description: hashline.description,
        args: {
          filePath: schema.string().describe("The file."),
          edits: schema.array(edit).optional().describe("The edits, made together or not at all."),
          delete: schema.boolean().optional().describe("Remove the file."),
          rename: schema.string().optional().describe("New path of the file."),
        },
        async execute(call, { abort }) {
          const { text } = await hashline.execute(call, abort);
          return text;
        },
      }),
    },
  };
};
