import type { StoredEvent } from "@cogency/storage";
import { expect, it } from "vitest";
import { pauseBetween } from "./replay-command.ts";

const at = (timestamp: number): StoredEvent => ({ type: "respond", content: "x", timestamp, seq: 1 });

it.each([
  [undefined, 5, 1, 0],
  [1, 3, 1, 2],
  [1, 3, 10, 0.2],
  [1, 60, 1, 5],
  [3, 1, 1, 0],
])(
  "a replay pauses as long as it took, divided by the speed, within the limit: %j to %j at %j: %j s",
  (before, now, speed, pause) => {
    const first = before === undefined ? undefined : at(before);
    expect(pauseBetween(first, at(now), { speed, maxPause: 5 })).toBeCloseTo(pause);
  },
);
