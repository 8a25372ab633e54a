import { parseResults } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { type Asked, converse, type Turn } from "./converse.ts";
import { type VendorName, vendors } from "./vendors.ts";

const say = (text: string) => ({ name: "echo", args: { text } });
const fail = { name: "broken", args: {} };

/** Native calls: a turn with two calls in one message, one that fails, and an answer. No two turns say the same. */
const native = (vendor: VendorName, nth: number, model?: string): Turn => {
  const name = `${vendor} ${nth}${model ?? ""}`;
  return {
    vendor,
    driver: "native",
    ...(model !== undefined && { model }),
    replies: [
      { thinking: `${name} thinks.`, text: "I look.", calls: [say(`${name} a`), say(`${name} b`)] },
      { thinking: `${name} thinks again.`, calls: [fail] },
      { thinking: `${name} knows.`, text: `That was ${name}.` },
    ],
  };
};
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
  native("gemini", 1),
  native("claude", 1),
  native("responses", 1),
  native("chat", 1),
  inText("claude", "json"),
  inText("chat", "xml"),
  native("claude", 2),
  native("claude", 3, "claude-opus-5"),
  native("chat", 2),
  inText("gemini", "xml"),
  native("gemini", 2),
  inText("responses", "json"),
  native("responses", 2),
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
      const { vendor, body } = one;
      const sealed = { nth, vendor, seals: sealsIn(JSON.stringify(body)) };
      expect(sealed).toEqual({ nth, vendor, seals: sealsFor(one, asked.slice(0, nth)) });
    }
    const sealed = asked.filter(({ body }) => sealsIn(JSON.stringify(body)).length > 0);
    expect(new Set(sealed.map(({ vendor }) => vendor))).toEqual(new Set(Object.keys(vendors)));
    // No two answers have a seal in common, so that none can be taken for another.
    const given = asked.flatMap(({ answer }) => sealsIn(answer));
    expect(new Set(given).size).toBe(given.length);
  });
});

/**
 * The signatures that a body must hold: those that the same model gave over the same wire, except for blocks whose text holds
 * markup of the text protocol, which a native request does not show.
 */
function sealsFor({ turn }: Asked, earlier: readonly Asked[]): string[] {
  if (turn.driver !== "native") return [];
  return earlier.flatMap(({ turn: other, answer }) => {
    const isOwn = other.vendor === turn.vendor && other.model === turn.model;
    return isOwn && !/<(execute|end|think)>/.test(answer) ? sealsIn(answer) : [];
  });
}

/** Signatures and sealed reasoning, each once, without the word that Gemini takes for a call that it has not signed. */
function sealsIn(json: string): string[] {
  const fields = /"(?:signature|thoughtSignature|thought_signature|encrypted_content)":"([^"]+)"/g;
  const found = [...json.matchAll(fields)].map(([, seal = ""]) => seal);
  return [...new Set(found)].filter((seal) => seal !== "skip_thought_signature_validator");
}
