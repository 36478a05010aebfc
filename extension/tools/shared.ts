// What our three tools have in common.

import type { JsonSchema } from "../../index.js";
import type { Tool } from "../host.ts";
import { wrapForHost } from "../lenient-arguments.ts";

/** Offered at once, and given whatever arguments the model writes. */
export function taking(
  schema: JsonSchema,
): Pick<Tool, "parameters" | "prepareArguments" | "loadMode" | "lenientArgValidation"> {
  return {
    parameters: schema,
    prepareArguments: (args) => wrapForHost(args, schema),
    loadMode: "essential",
    lenientArgValidation: true,
  };
}
