import { formatCalls } from "@cogency/protocol";
import type { ModelEvent, Provider } from "@cogency/provider";

/** What every contender does: so many steps of so many deltas; each step but the last ends in one call. */
export interface Work {
  steps: number;
  deltas: number;
}

/** What a consumer has received. */
export interface Received {
  /** Pieces of text; in decisions, of thoughts and of the answer. */
  pieces: number;
  characters: number;
  /** Calls of the tool that ran. */
  calls: number;
}

/** Four characters each; the last one ends without white space, which would be trimmed. */
export function deltasOf({ deltas }: Work): string[] {
  return Array.from({ length: deltas }, (_, index) =>
    index === deltas - 1 ? "end." : (["and ", "the ", "it's", " so,"][index % 4] ?? ""),
  );
}

/** The call of a step. Its argument differs, so that no batch is a repetition. */
export function argumentOf(step: number): { text: string } {
  return { text: `step ${step}` };
}

/** The result of the call. */
export function answerTo({ text }: { text: string }): string {
  return text.toUpperCase();
}

/** @throws Error unless the contender has consumed all of the work */
export function checkReceived(name: string, { steps, deltas }: Work, { pieces, characters, calls }: Received): void {
  const expected = { pieces: steps * deltas, characters: steps * deltas * 4, calls: steps - 1 };
  if (pieces === expected.pieces && characters === expected.characters && calls === expected.calls) return;
  throw new Error(`${name} has not done the work: ${JSON.stringify({ pieces, characters, calls, expected })}`);
}

/** How a model writes for a driver: the text protocol in its two dialects, native calls, decisions. */
export type Form = "json" | "xml" | "native" | "react";

/** The events of each answer: its text, and the call or the end, in pieces of four characters, too. */
export function answersOf(work: Work, form: Form = "json"): ModelEvent[][] {
  return Array.from({ length: work.steps }, (_, step): ModelEvent[] => {
    const isLast = step === work.steps - 1;
    const call = isLast ? undefined : { name: "shout", args: argumentOf(step) };
    return [...writers[form](deltasOf(work), call, step), { type: "usage", usage }, { type: "finish", reason: "stop" }];
  });
}

type Call = { name: string; args: { text: string } } | undefined;

const writers: Record<Form, (deltas: readonly string[], call: Call, step: number) => ModelEvent[]> = {
  json: (deltas, call) => texts([...deltas, ...pieces(call ? formatCalls([call]) : "<end>")]),
  xml: (deltas, call) => texts([...deltas, ...pieces(call ? formatCalls([call], { dialect: "xml" }) : "<end>")]),
  native(deltas, call, step) {
    if (!call) return texts(deltas);
    const [id, text] = [`call_${step}`, JSON.stringify(call.args)];
    return [
      ...texts(deltas),
      ...pieces(text).map((piece): ModelEvent => ({ type: "tool_call_delta", index: 0, id, arguments: piece })),
      { type: "tool_call", id, name: call.name, arguments: text },
    ];
  },
  // The text is the thought before a call, or the answer.
  react(deltas, call) {
    const [before, after] = call
      ? ['{"thought":"', `","type":"call_tool","tool":"shout","args":${JSON.stringify(call.args)}}`]
      : ['{"type":"final_answer","answer":"', '"}'];
    return texts([...pieces(before), ...deltas, ...pieces(after)]);
  },
};

function texts(deltas: readonly string[]): ModelEvent[] {
  return deltas.map((text) => ({ type: "text", text }));
}

function pieces(text: string): readonly string[] {
  return text.match(/.{1,4}/gs) ?? [];
}

const usage = { input: 100, output: 100, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

/** Where the answer of a model stops for a while: after so many deltas, until the promise resolves. */
export interface Pause {
  after: number;
  until: Promise<void>;
}

/** The same model, which lets timers fire now and then, as the answers of a server do. */
export function breathing(provider: Provider): Provider {
  return {
    ...provider,
    async *stream(request, options) {
      let sent = 0;
      for await (const event of provider.stream(request, options)) {
        if (sent++ % 25 === 0) await new Promise((resolve) => setImmediate(resolve));
        yield event;
      }
    },
  };
}

/**
 * A model without latency. Each request gets the answer that its results ask for, so that runs may overlap. The pump, the
 * hand loop and our agent all read this same generator.
 */
export function scriptedModel(answers: readonly (readonly ModelEvent[])[], pause?: Pause): Provider {
  return {
    name: "scripted",
    model: "scripted-1",
    capabilities: { tools: true, session: false, reasoning: false, format: false },
    async *stream({ messages }) {
      // The prompt, then an answer and its results for each step.
      const events = answers[(messages.length - 1) / 2] ?? [];
      let sent = 0;
      for (const event of events) {
        if (pause && sent++ === pause.after) await pause.until;
        yield event;
      }
    },
  };
}
