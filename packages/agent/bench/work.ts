import type { ModelEvent, Provider } from "@cogency/provider";

/** What every contender does: so many steps of so many deltas; each step but the last ends in one call. */
export interface Work {
  steps: number;
  deltas: number;
}

/** What a consumer has received. */
export interface Received {
  /** Pieces of text for the user. */
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

/** The events of each answer in the text protocol: its text, and the block or the end in pieces of four characters, too. */
export function answersOf(work: Work): ModelEvent[][] {
  return Array.from({ length: work.steps }, (_, step): ModelEvent[] => {
    const isLast = step === work.steps - 1;
    const call = JSON.stringify([{ name: "shout", args: argumentOf(step) }]);
    const tail = isLast ? "<end>" : `<execute>${call}</execute>`;
    const texts = [...deltasOf(work), ...(tail.match(/.{1,4}/g) ?? [])];
    return [
      ...texts.map((text): ModelEvent => ({ type: "text", text })),
      { type: "usage", usage },
      { type: "finish", reason: "stop" },
    ];
  });
}

const usage = { input: 100, output: 100, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

/** Where the answer of a model stops for a while: after so many deltas, until the promise resolves. */
export interface Pause {
  after: number;
  until: Promise<void>;
}

/**
 * A model without latency. Each request gets the answer that its results ask for, so that runs may overlap. The pump, the
 * hand loop and our agent all read this same generator.
 */
export function scriptedModel(answers: readonly (readonly ModelEvent[])[], pause?: Pause): Provider {
  return {
    name: "scripted",
    model: "scripted-1",
    capabilities: { tools: false, session: false, reasoning: false, format: false },
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
