import { attachmentsOf, type ModelRequest } from "@cogency/provider";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { requestProblem } from "../../src/testkit/request-problem.ts";
import { validators } from "../validators/index.ts";
import { type Conversation, converse } from "./converse.ts";
import { turns } from "./plan.ts";
import { sealProblem } from "./seals.ts";
import { modelChoices, wireProvider } from "./wire-providers.ts";

/** `all`, or the seed of the slice of conversations. */
const { COGENCY_SWITCHING: chosen = "1" } = process.env;
const runs = chosen === "all" ? { numRuns: 5_000 } : { numRuns: 40, seed: Number(chosen) };

const senders = modelChoices.map((model) => {
  const unasked = (): never => {
    throw new Error("No answer is wanted.");
  };
  return [model, wireProvider(model, unasked)] as const;
});

describe("a conversation that changes driver and provider at every turn", () => {
  it("asks nothing that a server refuses, and repeats itself byte by byte", async () => {
    await fc.assert(
      fc.asyncProperty(turns, async (plan) => {
        const told = await converse(plan);
        expect(told.faults).toEqual([]);
        expect(brokenLaw(told) ?? (await refusalOf(told))).toBeUndefined();
      }),
      runs,
    );
  });
});

const mayFailWith = ["provider", "store", "no_progress", "nothing_to_recover"];

/** The first law that a conversation breaks. */
function brokenLaw({ asked, ended }: Conversation): string | undefined {
  for (const { hands, result } of ended) {
    const { status, error } = result;
    const seesAll = hands.models.every(({ sees }) => sees);
    const mayFail = error === undefined || [...mayFailWith, ...(seesAll ? [] : ["attachments"])].includes(error.code);
    if (!mayFail) return `A run ended as ${status}: ${error.code}, ${error.message}`;
  }
  const last = new Map<string, ModelRequest>();
  for (const [nth, { driver, eyes, request, isAgain }] of asked.entries()) {
    const unseen = !eyes.sees && request.messages.flatMap(attachmentsOf).length > 0;
    const problem =
      requestProblem(request) ??
      prefixProblem(last.get(driver), request) ??
      (unseen ? "it shows a picture to a model that takes none." : undefined) ??
      (isAgain && driver !== "react" ? "only ReAct asks again in a step." : undefined);
    if (problem !== undefined) return `Request ${nth + 1}, ${driver}: ${problem}`;
    if (!isAgain) last.set(driver, request);
  }
  return undefined;
}

/** Within one driver, each request begins with the first one of the step before, whoever led the conversation meanwhile. */
function prefixProblem(before: ModelRequest | undefined, request: ModelRequest): string | undefined {
  if (!before) return undefined;
  const { messages, ...rest } = request;
  const { messages: earlier, ...earlierRest } = before;
  if (JSON.stringify(rest) !== JSON.stringify(earlierRest)) return "its system prompt or its tools have changed.";
  const start = JSON.stringify(messages.slice(0, earlier.length));
  const isKept = start === JSON.stringify(earlier);
  return isKept
    ? undefined
    : `it does not begin with the request before, ${JSON.stringify(earlier)}, but with ${start}.`;
}

/**
 * Why the server of a wire refuses a request of the conversation, or would not find it in its prompt cache. Each request is sent
 * to all of them.
 */
async function refusalOf({ asked }: Conversation): Promise<string | undefined> {
  for (const [model, { wire, bodyOf }] of senders) {
    const last = new Map<string, Sent>();
    for (const [nth, { driver, request, isAgain }] of asked.entries()) {
      const body = (await bodyOf(request)) as Body;
      const sent: Sent = { thinking: JSON.stringify(body.thinking), entries: entriesIn(body) };
      const before = last.get(driver);
      const problem = validators[wire](body) ?? sealProblem(body) ?? cacheProblem(before, sent);
      if (problem !== undefined)
        return `Request ${nth + 1}, ${driver}, on ${model}: ${problem}, but is ${sent.entries}`;
      if (!isAgain) last.set(driver, sent);
    }
  }
  return undefined;
}

/** What of a body is looked up in the cache of a server. */
interface Sent {
  thinking: string | undefined;
  entries: string;
}

function cacheProblem(before: Sent | undefined, { thinking, entries }: Sent): string | undefined {
  // Of Anthropic's server: what was read with another setting of thinking is not found.
  if (!before || before.thinking !== thinking) return undefined;
  return entries.startsWith(before.entries) ? undefined : `it does not begin with ${before.entries}`;
}

interface Body {
  thinking?: object;
  /** Of Chat Completions and of Messages. */
  messages?: { role: string; content: unknown }[];
  /** Of Responses. */
  input?: object[];
  /** Of Gemini. */
  contents?: { role: string; parts: object[] }[];
}

/** The bytes of the conversation in a body, one message or block a line, without the marks of the cache. */
function entriesIn({ messages = [], input = [], contents = [] }: Body): string {
  const entries = messages.flatMap((message): unknown[] => {
    const { role, content } = message;
    return Array.isArray(content) ? content.map((block) => ({ role, ...block, cache_control: undefined })) : [message];
  });
  const parts = contents.flatMap(({ role, parts }) => parts.map((part) => ({ role, ...part })));
  return [...entries, ...input, ...parts].map((entry) => `${JSON.stringify(entry)}\n`).join("");
}
