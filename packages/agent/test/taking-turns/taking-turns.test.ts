import { parseResults } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { type Asked, converse, type Turn } from "./converse.ts";
import { type VendorName, vendors } from "./vendors.ts";

const say = (text: string) => ({ name: "echo", args: { text } });
const fail = { name: "broken", args: {} };
const thinking = "Let me see.";

/** Native calls: a turn with two calls in one message, one that fails, and an answer. */
const native = (vendor: VendorName, model?: string): Turn => ({
  vendor,
  driver: "native",
  ...(model !== undefined && { model }),
  replies: [
    { thinking, text: "I look.", calls: [say(`${vendor} 1`), say(`${vendor} 2`)] },
    { thinking, calls: [fail] },
    { thinking, text: `That was ${vendor}.` },
  ],
});
/** The same in text. */
const inText = (vendor: VendorName, driver: "json" | "xml"): Turn => ({
  vendor,
  driver,
  replies: [
    { text: "I look.", calls: [say(`${vendor} in ${driver}`), fail] },
    { text: `That was ${vendor} in ${driver}.`, isOver: true },
  ],
});

/** Everybody twice with native calls, with turns in text between them, and once with a second model of one vendor. */
const turns: readonly Turn[] = [
  native("gemini"),
  native("claude"),
  native("responses"),
  native("chat"),
  inText("claude", "json"),
  inText("chat", "xml"),
  native("claude"),
  native("claude", "claude-opus-5"),
  native("chat"),
  inText("gemini", "xml"),
  native("gemini"),
  inText("responses", "json"),
  native("responses"),
];

describe("a Gemini, a Claude and two wires of OpenAI that take turns in one conversation", () => {
  it("are asked over HTTP, each at its own server, and all answer", async () => {
    const { asked, texts } = await converse(turns);
    expect(texts).toEqual(turns.map(({ replies }) => replies.at(-1)?.text));
    expect(asked.map(({ turn }) => turn)).toEqual(turns.flatMap((turn) => turn.replies.map(() => turn)));
    for (const { vendor, path } of asked) expect(path).toMatch(vendors[vendor].path);
  });

  it("get no body that a server refuses", async () => {
    const { asked } = await converse(turns);
    const problems = asked.flatMap(({ vendor, body }, nth) => {
      const problem = vendors[vendor].problem(body);
      return problem === undefined ? [] : [`${nth}, ${vendor}: ${problem}`];
    });
    expect(problems).toEqual([]);
  });

  it("read what the others' tools gave", async () => {
    const { asked, log } = await converse(turns);
    const last = JSON.stringify(asked.at(-1)?.body);
    for (const { replies } of turns) {
      for (const { args } of replies.flatMap(({ calls = [] }) => calls)) {
        if ("text" in args) expect(last).toContain(args.text);
      }
    }
    const results = log.flatMap((event) => (event.type === "result" ? (parseResults(event.content) ?? []) : []));
    expect(results.map(({ status }) => status)).toEqual(
      turns.flatMap(({ replies }) =>
        replies.flatMap(({ calls = [] }) => calls.map(({ name }) => (name === "echo" ? "success" : "failure"))),
      ),
    );
  });

  it("get their own signed and sealed blocks back, all of them, and none of another provider, wire or model", async () => {
    const { asked } = await converse(turns);
    for (const [nth, one] of asked.entries()) {
      expect([nth, one.vendor, marksIn(one)]).toEqual([nth, one.vendor, marksFor(one, asked.slice(0, nth))]);
    }
    expect(asked.filter((one) => marksIn(one).length > 0).map(({ vendor }) => vendor)).toEqual(
      expect.arrayContaining(Object.keys(vendors)),
    );
  });
});

/** The numbers of the answers whose signatures a body holds. */
function marksIn({ body }: Asked): number[] {
  return marks(JSON.stringify(body));
}

/**
 * The numbers of the answers whose signatures it must hold: those that the same model gave over the same wire, except for blocks
 * with calls in text, which a native request shows as native calls.
 */
function marksFor({ turn }: Asked, earlier: readonly Asked[]): number[] {
  if (turn.driver !== "native") return [];
  return earlier.flatMap(({ turn: other, answer }) => {
    const isOwn = other.vendor === turn.vendor && other.model === turn.model;
    return isOwn && !answer.includes("<execute>") ? marks(answer) : [];
  });
}

/** The numbers in signatures and sealed reasoning. */
function marks(text: string): number[] {
  const found = [...text.matchAll(/(?:signed|sealed)-(\d+)/g)].map(([, nth]) => Number(nth));
  return [...new Set(found)];
}
