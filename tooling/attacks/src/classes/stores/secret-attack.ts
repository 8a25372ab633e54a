import { memoryStore, redactingStore, redactSecrets } from "@cogency/storage";
import type { Attack } from "../../harness/attack.ts";
import { key, userEvent } from "./store-file.ts";

/** Stores the text as the result of a tool. Nothing stored may contain the secret. */
export function secretAttack([name, text, secret]: [string, string, string]): Attack {
  return {
    name: `secret: ${name}`,
    async run() {
      const inner = memoryStore();
      const store = redactingStore(inner);
      const result = JSON.stringify([{ tool: "read", status: "success", content: text }]);
      await store.append(key, [
        {
          type: "result",
          content: result,
          payload: { tools_executed: 1, success_count: 1, failure_count: 0 },
          timestamp: 1,
        },
        userEvent(text),
        {
          type: "record",
          kind: "finished",
          data: { id: "a", result: { tool: "read", status: "success", content: text } },
          timestamp: 1,
        },
      ]);
      const kept = JSON.stringify(await inner.load(key));
      if (kept.includes(secret)) return "it was stored";
      return redactSecrets(text).includes(secret) ? "it was left in the text" : undefined;
    },
  };
}
