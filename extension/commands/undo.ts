// `/hashline undo`: takes the last patch back, and has the model know.

import type { Context } from "../host.ts";
import type { Parts, Said } from "./index.ts";

export async function undo({ host, sessions }: Parts, _args: string[], context: Context): Promise<Said> {
  const { session } = await sessions.ready(context);
  const { kind, text } = await session.undo();
  switch (kind) {
    case "undone":
      // The model would go on from files that are no longer so.
      host.sendMessage(
        { customType: "hashline", content: `The user ran /hashline undo. ${text}`, display: false },
        { deliverAs: "nextTurn" },
      );
      return { text, kind: "info" };
    case "refused":
      return { text, kind: "error" };
  }
}
