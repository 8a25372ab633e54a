import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Figures, PeerFigures } from "../figures/figures.ts";
import { printed } from "./printed.ts";
import { figuresIn, svg } from "./svg.ts";

const machine = { processor: "a processor", cores: 2, load: 0.2, endLoad: 1.4, isConfined: true };
const streaming = { startMemory: 41, endMemory: 90, cpu: 2.6, bytes: 1_700_000 };
const ours: PeerFigures = {
  name: "cogency",
  start: { value: 0.17 },
  oneShot: { value: 0.3 },
  streaming: { value: { ...streaming, shownAfter: 17 } },
  work: [
    {
      mode: "ask",
      result: {
        value: { done: ["edit", "rm -rf"], undone: ["curl"], questions: 3, left: ["node server.js", "other"] },
      },
    },
  ],
};
const reason = "it could not be installed: E404";
const other: PeerFigures = {
  name: "other",
  version: "1.2.3",
  start: { failed: reason },
  streaming: { value: streaming },
};
const figures: Figures = { machine, peers: [ours, other] };

describe.each([
  ["the table", printed],
  ["the picture", svg],
])("%s", (_name, write) => {
  const text = write(figures);

  it("shows the figures of each peer", () => {
    expect(text).toContain("0.17");
    expect(text).toContain("2 of 3 (not: curl) · 3 questions · left running: the server and 1 process of its own");
  });

  it("shows no number for what did not run", () => {
    expect(text).toContain("did not run");
    expect(text.match(/0\.00/)).toBeNull();
  });

  it("says of a figure that was cut off that it is more", () => {
    expect(text).toMatch(/(?:>|&gt;) 2\.6/);
  });

  it("says whether the machine was busy", () => {
    expect(text).not.toContain("do not compare");
    expect(write({ ...figures, machine: { ...machine, load: 1.5 } })).toContain("do not compare");
    expect(write({ ...figures, machine: { ...machine, endLoad: 3.5 } })).toContain("do not compare");
  });
});

it("prints why something did not run", () => {
  expect(printed(figures)).toContain(`other, start did not run: ${reason}`);
});

it("has the picture of the README drawn from the figures in it; else run `pnpm bench:peers`", () => {
  const kept = readFileSync(new URL("../../peers.svg", import.meta.url), "utf8");
  expect(svg(figuresIn(kept))).toBe(kept);
});
