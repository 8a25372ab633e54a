import type { ModelEvent } from "@cogency/provider";
import type { Case, Scene } from "../scene.ts";
import { block, echo } from "../tools.ts";

/** A whole run with every kind of text in it. */
const mixed = [
  `<think>First I look.</think>I will look at 𝒶 twice.\n\n<think>Now.</think>\n${block(["echo", { text: "ä <end> 𝒷" }], ["echo", { text: "two" }])}`,
  "<think>It is clear.</think>\nBoth say it: `<execute>` is a word.\n\n```\n<end>\n```\nThat is all.<end>",
];

const usage = { input: 120, output: 30, cacheRead: 40, cacheWrite: 2, reasoning: 7 };

const answers: Record<string, Scene> = {
  "plain with end": { script: ["Paris.<end>"] },
  "plain without end": { script: ["Paris is the capital.\n\nOf France."] },
  "think first": { script: ["<think>France, so</think>Paris.<end>"] },
  "think between": { script: ["One.<think>two</think>Three.<think>four</think>\nFive.\n<end>"] },
  "think not closed": { script: ["Before.<think>and then it stops"] },
  "only thinking, then an answer": { script: ["<think>hm</think>", "Now.<end>"] },
  "markers in code": { script: ["Write `<execute>` so:\n```\n<execute>[]</execute>\n```\nDone.<end>"] },
  "no event but the finish": { script: ["", "Now.<end>"] },
  "blank text": { script: ["  \n ", "Now.<end>"] },
  "empty pieces": { script: [["", "Pa", "", "ris", ".", "", "<end>", ""]] },
  "text after the end": { script: [["Paris.", "<end>", " And Rome, ", "too."], "unused"] },
  "blank text after the end": { script: [["Paris.<end>", "\n", " \n"]] },
  "reported usage": { script: [{ chunks: "Paris.<end>", usage }] },
  "usage that is no number": { script: [{ chunks: "Paris.<end>", usage: { ...usage, input: Number.NaN } }] },
  prices: {
    script: [
      { chunks: block(["echo", { text: "a" }]), usage },
      { chunks: "Done.<end>", usage },
    ],
    options: { prices: { "scripted-1": { input: 2, output: 10, cacheRead: 0.5 } } },
  },
  "a slow model": { script: [{ chunks: ["Par", "is", ".<end>"], delay: 20 }] },
  "a slow model and a slow consumer": { script: [{ chunks: ["Par", "is", ".<end>"], delay: 20 }], pace: 15 },
  "cut at the length": { script: [{ chunks: "Paris is the", finish: "length" }] },
  "cut at the length, with a limit": {
    script: [{ chunks: "Paris is the", finish: "length" }],
    options: { request: { maxOutputTokens: 5 } },
  },
  "cut while thinking": { script: [{ chunks: "<think>France has", finish: "length" }] },
  "cut before anything": { script: [{ chunks: "", finish: "length" }] },
  filtered: { script: [{ chunks: "I would", finish: "content_filter" }] },
  "native blocks": {
    script: [
      { chunks: "Paris.<end>", events: [{ type: "finish", reason: "stop", native: { signature: "abc" } }] },
      "Rome.<end>",
    ],
    turns: [{ prompt: "one" }, { prompt: "two" }],
  },
  "native blocks with calls": {
    script: [
      {
        chunks: `Look.${block(["echo", { text: "a" }])}`,
        events: [
          { type: "usage", usage },
          { type: "finish", reason: "stop", native: [{ thinking: "…" }] },
        ],
      },
      "Done.<end>",
    ],
  },
  "native blocks with text after the block": {
    script: [
      {
        chunks: [block(["echo", { text: "a" }]), "and more"],
        events: [{ type: "finish", reason: "stop", native: [{ thinking: "…" }] }],
      },
      "Done.<end>",
    ],
  },
  "native blocks with a refused block": {
    script: [
      { chunks: "<execute>[{]</execute>", events: [{ type: "finish", reason: "stop", native: [{ thinking: "…" }] }] },
      "Done.<end>",
    ],
  },
};

const reasoned: ModelEvent[] = [
  { type: "reasoning", text: "Let me \ud835" },
  { type: "reasoning", text: "\udcb6 think" },
  { type: "text", text: "First" },
  { type: "text", text: " this." },
  { type: "reasoning", text: " then that " },
  { type: "text", text: " And on," },
  { type: "text", text: " and on." },
  { type: "text", text: "<think>inner</think>" },
  { type: "reasoning", text: "\ud835" },
  { type: "text", text: `And:${block(["echo", { text: "r" }])}` },
  { type: "reasoning", text: "too late" },
];

const views = ["token", "event", null] as const;
const sizes = ["whole", 1, 3, 4, 7] as const;

export const answerCases: Case[] = [
  ...Object.entries(answers).map(
    ([name, scene]): Case => ({
      name,
      scene: () => ({ ...scene, options: { tools: [echo], ...scene.options } }),
    }),
  ),
  ...views.map(
    (stream): Case => ({
      name: `mixed in the view ${stream}`,
      scene: () => ({ script: mixed, options: { tools: [echo] }, turns: [{ prompt: "go", run: { stream } }] }),
    }),
  ),
  ...views.map(
    (stream): Case => ({
      name: `reasoning beside text in the view ${stream}`,
      scene: () => ({
        script: [{ events: reasoned }, { events: [{ type: "reasoning", text: "only this" }] }, "Done.<end>"],
        options: { tools: [echo] },
        turns: [{ prompt: "go", run: { stream } }],
      }),
    }),
  ),
  ...sizes.map(
    (size): Case => ({
      name: `mixed in pieces of ${size}`,
      ...(size === 1 && { variants: false }),
      scene: () => ({
        script: mixed,
        scripted: size === "whole" ? {} : { chunkSize: size },
        options: { tools: [echo] },
      }),
    }),
  ),
  ...[1, 2, 3].map(
    (seed): Case => ({
      name: `mixed in random pieces ${seed}`,
      scene: () => ({
        script: mixed.map((text, step) => randomPieces(text, seed * 10 + step)),
        options: { tools: [echo] },
      }),
    }),
  ),
  {
    name: "an answer of one request that does not stream",
    scene: () => ({
      script: mixed,
      options: { tools: [echo] },
      provider: (model) => ({
        ...model,
        async generate(request, options) {
          const events: ModelEvent[] = [];
          for await (const event of model.stream(request, options)) events.push(event);
          return events;
        },
      }),
      turns: [{ prompt: "go", run: { stream: null } }],
    }),
  },
];

/** Pieces of 0 to 9 characters. */
function randomPieces(text: string, seed: number): string[] {
  const pieces: string[] = [];
  let state = seed;
  for (let start = 0; start < text.length; ) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const length = Math.floor(state / 65_536) % 10;
    pieces.push(text.slice(start, start + length));
    start += length;
  }
  return pieces;
}
