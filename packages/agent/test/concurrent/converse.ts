import type { ModelEvent, ModelRequest, Provider } from "@cogency/provider";
import { ProviderError } from "@cogency/provider";
import type { Store } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import { type Agent, createAgent, protocolDriver } from "../../src/index.ts";
import { nativeDriver } from "../../src/native.ts";
import { reactDriver } from "../../src/react.ts";
import { block } from "../support/fixtures.ts";
import { call, called, said, stop } from "../support/native.ts";
import { act, answer } from "../support/react.ts";

/** How the turns of a hall end: each as its model says, or a tenth of them cancelled, left or failed. */
export type Mood = "calm" | "unruly";

type Fate = "answered" | "cancelled" | "left" | "failed";

/** The names of conversations are of one length, so that none is a part of another one. */
export const nameOf = (index: number): string => `talk-${String(index).padStart(5, "0")}`;

const namesIn = (value: unknown): Set<string> => new Set(JSON.stringify(value).match(/talk-\d{5}/g));

const anyTurn = /talk-\d{5} turn \d+/g;

/** A turn of the event loop, in which other conversations go on. */
const elsewhere = () => new Promise<void>((resolve) => setImmediate(resolve));

const look = defineTool({
  name: "look",
  description: "Looks something up.",
  input: { type: "object", properties: { what: { type: "string" } }, required: ["what"] },
  annotations: { readOnlyHint: true },
  async execute({ what }, { conversation }) {
    await elsewhere();
    if (!what.startsWith(conversation)) throw new Error(`The tool of ${conversation} was asked for ${what}.`);
    return `seen: ${what}`;
  },
});

const text = (whole: string): ModelEvent[] => [said(whole.slice(0, 9)), said(whole.slice(9)), stop];

/** How each driver writes the call of a turn, and its answer. */
const speeches = [
  {
    driver: protocolDriver(),
    call: (what: string) => text(`I look.${block(["look", { what }])}`),
    answer: (what: string) => text(`${what} is done.<end>`),
  },
  {
    driver: nativeDriver(),
    call: (what: string) => [said("I look."), ...call("look", { what }), called],
    answer: (what: string) => text(`${what} is done.`),
  },
  {
    driver: reactDriver(),
    call: (what: string) => text(act("look", { what })),
    answer: (what: string) => text(answer(`${what} is done.`)),
  },
];

/** One agent for each driver, over one store, with any number of conversations at once. */
export function hall(store: Store, mood: Mood) {
  const ends: Record<Fate, number> = { answered: 0, cancelled: 0, left: 0, failed: 0 };
  const problems: string[] = [];
  const agents = speeches.map((speech) =>
    createAgent({ driver: speech.driver, provider: modelOf(speech), tools: [look], store }),
  );

  function modelOf({ call, answer }: (typeof speeches)[number]): Provider {
    return {
      name: "guide",
      model: "guide-1",
      capabilities: { tools: true, session: false, reasoning: false, format: false },
      async *stream({ messages }: ModelRequest): AsyncGenerator<ModelEvent> {
        const names = namesIn(messages);
        if (names.size !== 1) problems.push(`A request holds the words of ${[...names]}.`);
        const said = JSON.stringify(messages);
        const what = said.match(anyTurn)?.at(-1) ?? "";
        if (fateOf(what, mood) === "failed") throw new ProviderError("bad_request", "Not today.");
        for (const event of said.includes(`seen: ${what}`) ? answer(what) : call(what)) {
          await elsewhere();
          yield event;
        }
      },
    };
  }

  /** Takes a turn of a conversation, and checks what came of it. */
  async function talk(index: number, turn: number): Promise<void> {
    const conversation = nameOf(index);
    const agent = agents[index % agents.length] as Agent;
    const prompt = `${conversation} turn ${turn}`;
    const fate = fateOf(prompt, mood);
    const controller = new AbortController();
    const run = agent.run(prompt, {
      conversation,
      signal: controller.signal,
      on(event) {
        if ([...namesIn(event)].some((name) => name !== conversation))
          problems.push(`${conversation} heard of another.`);
        if (fate === "cancelled" && event.type === "tool_started") controller.abort();
      },
    });
    if (fate === "left") {
      for await (const { type } of run) if (type === "call") break;
    }
    const { status, text, error } = await run.result;
    const expected = { answered: "completed", cancelled: "stopped", left: "stopped", failed: "failed" }[fate];
    if (status !== expected) problems.push(`${prompt} should be ${fate}, and ended ${status}: ${error?.message}`);
    if (fate === "answered" && text !== `${prompt} is done.`) problems.push(`${prompt} got the answer "${text}".`);
    ends[fate]++;
  }

  return { talk, ends, problems };
}

/** What becomes of a turn. */
function fateOf(prompt: string, mood: Mood): Fate {
  const [index = 0, turn = 0] = (prompt.match(/\d+/g) ?? []).map(Number);
  const drawn = (index * 7 + turn * 3) % 30;
  return (mood === "unruly" && (["cancelled", "left", "failed"] as const)[drawn]) || "answered";
}

/** What is wrong with a conversation that has had so many turns: its prompts, or that it is not free. */
export async function problemsOf(store: Store, index: number, turns: number): Promise<string[]> {
  const conversation = nameOf(index);
  const log = await store.load({ conversation });
  const prompts = log.flatMap((event) => (event.type === "user" && event.origin === undefined ? [event.content] : []));
  const expected = Array.from({ length: turns }, (_, turn) => `${conversation} turn ${turn}`);
  const isWhole = prompts.length === turns && prompts.every((prompt, turn) => prompt === expected[turn]);
  const names = [...namesIn(log)].filter((name) => name !== conversation);
  const lease = await store.lease({ conversation }, { ttl: 1000, owner: "who looks" }).catch(() => undefined);
  await lease?.release();
  return [
    ...(isWhole ? [] : [`${conversation} has the prompts ${JSON.stringify(prompts)}.`]),
    ...(names.length > 0 ? [`${conversation} holds words of ${names}.`] : []),
    ...(lease ? [] : [`${conversation} is still leased.`]),
  ];
}

/** Timers that are set in this process. */
export const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
