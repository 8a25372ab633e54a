import { scripted } from "@cogency/provider";
import { memoryStore, redactingStore } from "@cogency/storage";
import { createKeyRing } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { type AgentOptions, createAgent } from "../src/index.ts";

/** Any store but the one of `memoryStore` itself counts as one that lasts. */
const lasting = () => ({ ...memoryStore() });
const keyRing = createKeyRing(["a ring that several machines have in common"]);

describe("an agent whose store lasts", () => {
  it.each<[string, Partial<AgentOptions>, number]>([
    ["without a key ring: it warns once", { store: lasting() }, 1],
    ["without a key ring, behind another one: it warns once", { store: redactingStore(lasting()) }, 1],
    ["with a key ring", { store: lasting(), keyRing }, 0],
    ["but only in memory", { store: memoryStore() }, 0],
    ["but is none of the host's", {}, 0],
  ])("%s", async (_, options, times) => {
    const warnings: string[] = [];
    const provider = scripted(["Hello.", "Hello."]);
    const agent = createAgent({ provider, ...options, warn: (message) => warnings.push(message) });
    await agent.ask("Hi");
    await agent.use({ name: "more" }).ask("Hi");
    expect(warnings).toHaveLength(times);
    for (const warning of warnings) expect(warning).toContain("keyRing: await keyRingFile(path)");
  });
});
