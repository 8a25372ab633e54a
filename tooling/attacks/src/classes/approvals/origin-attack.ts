import { createAgent } from "@cogency/agent";
import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import * as z from "zod";
import type { Attack } from "../../harness/attack.ts";
import type { Origin } from "./origins.ts";
import { home, ring } from "./signers.ts";

/** Makes a call with effects and one that reaches outside. A rule allows both, but in a log from elsewhere both must ask. */
export function originAttack({ name, marks, isControl }: Origin): Attack {
  return {
    name: `origin: ${name}`,
    ...(isControl && { isControl }),
    async run() {
      const store = memoryStore();
      await store.append(home, [
        { type: "user", content: "Hello.", timestamp: 1 },
        ...(await marks()),
        { type: "respond", content: "Yes?", timestamp: 2 },
      ]);
      const ran: string[] = [];
      const tool = (of: string, annotations: object) =>
        defineTool({
          name: of,
          description: "Does it.",
          input: z.object({}),
          annotations,
          execute: () => ran.push(of),
        });
      const agent = createAgent({
        provider: scripted([
          '<execute>[{"name":"change","args":{}}]</execute>',
          '<execute>[{"name":"send","args":{}}]</execute>',
          "Done.",
        ]),
        tools: [tool("change", { destructiveHint: true }), tool("send", { readOnlyHint: true, openWorldHint: true })],
        store,
        keyRing: ring,
        execution: { approval: { policy: { otherwise: "allow" }, content: "ask", approve: async () => false } },
      });
      await agent.run("Go on.", home).result;
      if (isControl) return ran.includes("change") ? undefined : "a log of one's own asks too";
      return ran.length > 0 ? `ran without a question: ${ran.join(", ")}` : undefined;
    },
  };
}
