import { createAgent } from "@cogency/agent";
import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { createKeyRing } from "@cogency/tools";
import { createWorker, type WorkerEvent } from "@cogency/worker";
import { describe, expect, it, vi } from "vitest";
import { metering } from "../test/support/metering.ts";
import { measureWorker } from "./index.ts";

const claim = { key: { conversation: "c" }, owner: "w", token: 1, attempts: 1, claimedAt: 0, expiresAt: 1 };

describe("measureWorker", () => {
  it("counts what a worker looks after", async () => {
    const { meter, collect } = metering();
    const store = memoryStore();
    const keyRing = createKeyRing(["a secret that all machines have in common"]);
    const agent = createAgent({ provider: scripted(["Hello."]), store, keyRing });
    const worker = createWorker({ agent, store, on: measureWorker({ meter }) });
    await worker.start();
    await agent.send({ conversation: "greeting" }, { kind: "prompt", content: "Say hello." });
    await vi.waitFor(async () => {
      const metrics = await collect();
      expect(metrics.get("cogency.worker.claims")?.points).toMatchObject([
        { value: 1, attributes: { "cogency.claim.attempts": 1 } },
      ]);
      expect(metrics.get("cogency.worker.attended")?.points).toMatchObject([
        { value: 1, attributes: { "cogency.verdict": "done" } },
      ]);
      expect(metrics.get("cogency.worker.takeovers")).toBeUndefined();
    }, 15_000);
    await worker.drain();
  });

  it("counts takeovers, conversations that were lost or parked, and failures", async () => {
    const { meter, collect } = metering();
    const hear = measureWorker({ meter });
    const events: WorkerEvent[] = [
      { type: "claimed", claim: { ...claim, reasons: ["inbox"] } },
      { type: "claimed", claim: { ...claim, reasons: ["lease"] } },
      { type: "claimed", claim: { ...claim, reasons: ["inbox"], attempts: 2 } },
      { type: "parked", claim: { ...claim, reasons: ["inbox"], attempts: 6 }, reason: "It kills workers." },
      { type: "trouble", doing: "claim", error: new Error("no store") },
      {
        type: "attended",
        claim: { ...claim, reasons: ["inbox"] },
        verdict: { type: "later", at: 7, why: "provider" },
        stood: false,
        result: await createAgent({ provider: scripted([]) }).ask("go"),
        seconds: 1,
      },
    ];
    for (const event of events) hear(event);
    const metrics = await collect();
    const values = (name: string) => metrics.get(`cogency.worker.${name}`)?.points.map(({ value }) => value);
    expect(values("claims")).toEqual([2, 1]);
    for (const [name, count] of [
      ["takeovers", 2],
      ["parked", 1],
      ["troubles", 1],
      ["lost", 1],
    ] as const) {
      expect([name, values(name)]).toEqual([name, [count]]);
    }
    expect(metrics.get("cogency.worker.attended")?.points).toMatchObject([
      { attributes: { "cogency.verdict": "later", "cogency.verdict.why": "provider" } },
    ]);
  });
});
