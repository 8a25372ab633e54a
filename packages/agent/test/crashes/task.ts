import { appendFileSync } from "node:fs";
import type { ModelEvent, ModelRequest, Provider } from "@cogency/provider";
import type { Store } from "@cogency/storage";
import { createKeyRing, defineTool, type Tool } from "@cogency/tools";
import { type AgentOptions, createAgent, protocolDriver } from "../../src/index.ts";
import { nativeDriver } from "../../src/native.ts";
import { reactDriver } from "../../src/react.ts";
import { block } from "../support/fixtures.ts";
import { call, called, said, stop } from "../support/native.ts";
import { act, answer } from "../support/react.ts";
import { linesIn } from "../two-processes/files.ts";
import { type Mark, marked } from "../two-processes/kill-point.ts";

export const conversation = "c";

type Name = "pay" | "note" | "look" | "ship";
type Call = readonly [name: Name, item: string];

/** The calls of the task, by batches. Each item is named once, so that a request shows which batches the model has written. */
const batches: readonly (readonly Call[])[] = [
  [
    ["pay", "item-1"],
    ["note", "item-2"],
    ["look", "item-3"],
    ["ship", "item-4"],
  ],
  [["pay", "item-5"]],
];

/** How a driver writes a batch, and an answer. */
interface Speech {
  driver: NonNullable<AgentOptions["driver"]>;
  /** The batches, as this driver can write them. */
  batches: typeof batches;
  batch(calls: readonly Call[]): ModelEvent[];
  answer: ModelEvent[];
}

const text = (whole: string): ModelEvent[] => [said(whole.slice(0, 9)), said(whole.slice(9)), stop];

const xml = ([name, item]: Call) => `<${name}><item>${item}</item></${name}>`;

export const drivers: Record<string, Speech> = {
  protocol: {
    driver: protocolDriver(),
    batches,
    batch: (calls) => text(`I order.${block(...calls.map(([name, item]): [string, object] => [name, { item }]))}`),
    answer: text("It is ordered.<end>"),
  },
  xml: {
    driver: protocolDriver({ dialect: "xml" }),
    batches,
    batch: (calls) => text(`I order.<execute>${calls.map(xml).join("")}</execute>`),
    answer: text("It is ordered.<end>"),
  },
  native: {
    driver: nativeDriver(),
    batches,
    batch: (calls) => [
      said("I order."),
      ...calls.flatMap(([name, item], index) => call(name, { item }, `call_${item}`, index)),
      called,
    ],
    answer: text("It is ordered."),
  },
  react: {
    driver: reactDriver(),
    // A decision holds one call.
    batches: batches.flat().map((call) => [call]),
    batch: (calls) => calls.flatMap(([name, item]) => text(act(name, { item }))),
    answer: text(answer("It is ordered.")),
  },
};

/** The lines of `effects` are `<tool> <item>`: one for each time that a body took effect. */
export function agentOf(name: string, store: Store, effects: string, mark: Mark, requests: ModelRequest[] = []) {
  const speech = drivers[name] as Speech;
  const provider: Provider = {
    name: "buyer",
    model: "buyer-1",
    capabilities: { tools: true, session: false, reasoning: false, format: false },
    async *stream(request): AsyncGenerator<ModelEvent> {
      requests.push(request);
      mark("before the answer of the model");
      const said = JSON.stringify(request.messages);
      const next = speech.batches.find((calls) => calls.every(([, item]) => !said.includes(item)));
      const events = next ? speech.batch(next) : speech.answer;
      for (const event of events) {
        yield event;
        mark("within the answer of the model");
      }
    },
  };
  return createAgent({
    provider,
    tools: toolsOf(effects, mark),
    store: marked(store, mark),
    keyRing: createKeyRing(["a ring that all processes have in common"]),
    lease: { isGone: () => true },
    driver: speech.driver,
  });
}

function toolsOf(effects: string, mark: Mark): Tool[] {
  const toolOf = (name: Name, more: Pick<Parameters<typeof defineTool>[0], "annotations"> & { verify?: Verify } = {}) =>
    defineTool({
      name,
      description: "Takes effect.",
      input: { type: "object", properties: { item: { type: "string" } }, required: ["item"] },
      ...more,
      execute({ item }) {
        mark(`before the effect of ${name}`);
        appendFileSync(effects, `${name} ${item}\n`);
        mark(`after the effect of ${name}`);
        return `${name} is done for ${item.slice(-1)}`;
      },
    });
  const verify: Verify = ({ item }) =>
    linesIn(effects).includes(`ship ${item}`) ? { outcome: "done", value: "shipped before" } : { outcome: "not_done" };
  return [
    toolOf("pay"),
    toolOf("note", { annotations: { idempotentHint: true } }),
    toolOf("look", { annotations: { readOnlyHint: true } }),
    toolOf("ship", { verify }),
  ];
}

type Verify = (args: { item: string }) => { outcome: "done"; value: string } | { outcome: "not_done" };
