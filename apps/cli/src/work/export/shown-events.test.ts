import type { StoredEvent } from "@cogency/storage";
import { expect, it } from "vitest";
import { shownEvents } from "./shown-events.ts";

const secret = `sk-ant-api03-${"Zm9vYmFyYmF6cXV4".repeat(4)}`;
const proof = { key: "k", mac: "a".repeat(64) };
const record = (seq: number, kind: string, data: object) =>
  ({ type: "record", kind, data, timestamp: 1, seq }) as StoredEvent;
const events: StoredEvent[] = [
  record(1, "origin", { scope: "/srv", proof }),
  { type: "user", content: `my key is ${secret}`, timestamp: 1, seq: 2 },
  record(3, "native", { provider: "p", model: "m", data: [{ text: secret }] }),
  record(4, "answer", { question: "q", content: "yes", proof }),
  record(5, "request", { system: `key ${secret}`, settings: {} }),
];

it("a trace holds no signature, and no secret unless it is asked for them", () => {
  const text = JSON.stringify(shownEvents(events, false));
  expect(text).not.toContain(secret);
  expect(text).not.toContain(proof.mac);
  const raw = shownEvents(events, true);
  expect(JSON.stringify(raw).split(secret)).toHaveLength(4);
  expect(JSON.stringify(raw)).not.toContain(proof.mac);
  expect(raw.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
});
