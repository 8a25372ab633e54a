import type { Json, JsonObject } from "@cogency/protocol";
import { canonicalJson, sha256 } from "@cogency/tools/host";
import {
  type InputRequests,
  type InputRequiredResult,
  inputRequired,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { McpHostError } from "../call-host.ts";
import { type ClientAbilities, type ClientInputs, type InputAsked, mostInputs } from "./client-inputs.ts";
import type { RequestStates, RoundState } from "./request-state.ts";

/** One round of a request of 2026-07-28: it has the answers of earlier rounds, and ends with what it asks for. */
export interface InputRound extends ClientInputs {
  /** The same for all rounds of a request. */
  readonly chain: string;
  /** Aborts when the round ends with what it asks for. What still runs does not count. */
  readonly left: AbortSignal;
  /** The result that asks the client; undefined if the round has not been left. */
  result(): Promise<InputRequiredResult | undefined>;
}

/** @throws ProtocolError for a state that does not belong to this request */
export async function inputRound(
  ctx: ServerContext,
  params: JsonObject,
  can: ClientAbilities,
  states: RequestStates,
): Promise<InputRound> {
  const request = await sha256(canonicalJson({ method: ctx.mcpReq.method, params }));
  const state = states.take(ctx, request);
  const chain = state?.chain ?? crypto.randomUUID();
  const responses = own(ctx.mcpReq.inputResponses);
  const given: Record<string, RoundState["given"][string]> = own(state?.given);
  const kept: JsonObject = own(state?.kept);
  const asking = new Map<string, { input: InputAsked<never>; asked: string }>();
  const leaving = new AbortController();
  let deciding = 0;

  /** An answer of this round counts if it was asked for in the last one. Others count where nothing depends on having been asked. */
  function answerOf(key: string, asked: string, isBinding: boolean): unknown {
    const earlier = given[key];
    if (earlier?.asked === asked) return earlier.answer;
    const wasAsked = own(state?.asked)[key] === asked;
    return wasAsked || (state === undefined && !isBinding) ? responses[key] : undefined;
  }

  /** Leaves once everything that the body asks side by side is there. */
  function leaveSoon(): void {
    setTimeout(() => {
      if (deciding === 0 && asking.size > 0) leaving.abort();
    });
  }

  async function decide<Value>(key: string, input: InputAsked<Value>): Promise<{ value: Value } | undefined> {
    deciding++;
    try {
      const asked = await sha256(canonicalJson({ method: input.method, params: input.params }));
      const answer = answerOf(key, asked, input.isBinding);
      const reading = answer === undefined ? undefined : await input.read(answer);
      if (reading && "value" in reading) {
        given[key] = { asked, answer: answer as Json };
        return reading;
      }
      asking.set(key, { input: input as InputAsked<never>, asked });
      return undefined;
    } finally {
      deciding--;
      leaveSoon();
    }
  }

  return {
    can,
    chain,
    left: leaving.signal,
    async request(key, input) {
      if (asking.size + Object.keys(given).length >= mostInputs && !(key in given)) {
        throw new McpHostError("too_many", `The call has asked the client ${mostInputs} times, which is the most.`);
      }
      const decided = await decide(key, input);
      if (decided) return decided.value;
      return whenAborted(leaving.signal, key);
    },
    kept: (key) => kept[key],
    keep(key, value) {
      kept[key] = value;
    },
    async result() {
      if (!leaving.signal.aborted) return undefined;
      const entries = [...asking];
      const inputRequests = Object.fromEntries(
        entries.map(([key, { input }]) => [key, { method: input.method, params: input.params }]),
      ) as InputRequests;
      const asked = Object.fromEntries(entries.map(([key, one]) => [key, one.asked]));
      const requestState = await states.mint({ chain, request, asked, given, kept }, ctx);
      return inputRequired({ inputRequests, requestState });
    },
  };
}

/** A copy without a prototype: keys come from clients and bodies. */
function own<T extends object>(record: T | undefined): T {
  return Object.assign(Object.create(null), record);
}

function whenAborted(signal: AbortSignal, key: string): Promise<never> {
  return new Promise((_, reject) => {
    const left = () => reject(new McpHostError("no_answer", `The call waits for an answer of the client (${key}).`));
    if (signal.aborted) left();
    else signal.addEventListener("abort", left, { once: true });
  });
}
