import { type LogEvent, type MessageForm, missingResults, toMessages } from "@cogency/protocol";
import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { createKeyRing } from "@cogency/tools";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAgent } from "../../src/index.ts";
import { anyLog, record } from "./any-log.ts";

const conversation = "c";
const forms: MessageForm[] = ["json", "xml", "native", "react"];
const keyRing = createKeyRing(["k".repeat(32)]);
const kinds = (log: readonly LogEvent[]) => log.map((event) => (event.type === "record" ? event.kind : event.type));

describe("a fork", () => {
  it("assembles as the log did at every point where no call is open, and cannot begin at another one", async () => {
    await fc.assert(
      fc.asyncProperty(anyLog, fc.boolean(), async (log, isForeign) => {
        const store = memoryStore();
        const { fork } = createAgent({ provider: scripted([]), store, keyRing });
        if (!isForeign) await store.append({ conversation }, log.slice(0, 1));
        await store.append({ conversation }, isForeign ? log : log.slice(1).concat(record("usage", {})));
        for (let at = 1; at <= log.length; at++) {
          const prefix = log.slice(0, at);
          if (missingResults(prefix).length > 0) {
            await expect(fork(conversation, { at })).rejects.toThrow("inside of an open batch");
            continue;
          }
          const events = await store.load({ conversation: await fork(conversation, { at }) });
          for (const form of forms) expect(toMessages(events, { form })).toEqual(toMessages(prefix, { form }));
          expect(kinds(events)).not.toContain("approval");
          expect(kinds(events)).not.toContain("message");
        }
      }),
      { numRuns: 200 },
    );
  });
});
