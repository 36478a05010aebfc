// What our three tools have in common.

import type { JsonSchema } from "../../index.js";
import { carried } from "../fits.ts";
import type { Tool } from "../host.ts";

/** Offered at once, and given whatever arguments the model writes. */
export function taking(
  schema: JsonSchema,
): Pick<Tool, "parameters" | "prepareArguments" | "loadMode" | "lenientArgValidation"> {
  return {
    parameters: schema,
    prepareArguments: (args) => carried(args, schema),
    loadMode: "essential",
    lenientArgValidation: true,
  };
}
