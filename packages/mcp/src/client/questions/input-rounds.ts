import { wait } from "@cogency/async";
import { type InputResponses, isInputRequiredResult, UrlElicitationRequiredError } from "@modelcontextprotocol/client";
import { McpError } from "../errors.ts";
import type { McpRoot } from "../mcp-options.ts";
import type { Sampler, Sampling } from "../sampling/sampler.ts";
import { oneLine } from "../text/plain-text.ts";
import type { Addresses } from "./addresses.ts";
import { answerElicitation } from "./elicitation.ts";
import { fieldsOf } from "./fields-of.ts";

/** What a request is sent with again once the server's questions are answered. */
export interface Answered {
  readonly inputResponses?: InputResponses;
  readonly requestState?: string;
}

/** Sends a request until the server has all that it asks for in its answers. */
export interface InputRounds {
  /**
   * @param send sends the request with the answers to the questions of the round before, and `allowInputRequired: true`
   * @param context the call whose person is asked; without one every question is declined
   * @throws McpError after ten rounds, for more than eight questions in one, and for a state of more than 64 KiB; ToolError `left`
   */
  send<T>(send: (answered: Answered) => Promise<T>, context: Sampling["context"], signal: AbortSignal): Promise<T>;
}

interface Parts {
  readonly server: string;
  readonly elicitation: boolean;
  readonly sampler: Sampler | undefined;
  readonly roots: readonly McpRoot[] | undefined;
  readonly log: (text: string) => void;
  readonly addresses: Addresses;
  /** Takes secrets of the host out of what a server asks. */
  readonly hidden: (params: unknown) => unknown;
}

export function inputRounds({ server, elicitation, sampler, roots, log, addresses, hidden }: Parts): InputRounds {
  function refused(why: string): McpError {
    return new McpError("protocol", server, `The server ${server} ${why}`);
  }

  async function answerAll(requests: readonly [string, unknown][], context: Sampling["context"]) {
    const responses: [string, InputResponses[string]][] = [];
    for (const [key, request] of requests) responses.push([key, await answerOne(request, context)]);
    return Object.fromEntries(responses);
  }

  async function answerOne(request: unknown, context: Sampling["context"]): Promise<InputResponses[string]> {
    const { method, params: given } = fieldsOf(request);
    const params = hidden(given);
    if (method === "elicitation/create" && elicitation) return answerElicitation(params, { server, context, log });
    if (method === "roots/list" && roots) return { roots: roots.map(rootOf) };
    if (method === "sampling/createMessage" && sampler) {
      const sampled = await sampler.answer(params, { server, context, log });
      if ("result" in sampled) return sampled.result;
      throw refused(`asked the model for an answer. ${sampled.refused}`);
    }
    throw refused(`asks for ${oneLine(String(method), 80)}, which it was not offered.`);
  }

  /** Whether the person went to each of the addresses that a call needs first. */
  async function visited(needed: readonly unknown[], context: Sampling["context"], signal: AbortSignal) {
    if (!elicitation || !context || needed.length === 0 || needed.length > mostAddresses) return false;
    for (const params of needed.map(hidden)) {
      const { action } = await answerElicitation({ ...fieldsOf(params), mode: "url" }, { server, context, log });
      if (action !== "accept") return false;
      const { elicitationId } = fieldsOf(params);
      if (typeof elicitationId === "string") await addresses.completed(elicitationId, patience, signal);
      signal.throwIfAborted();
    }
    return true;
  }

  return {
    async send(send, context, signal) {
      let answered: Answered = {};
      for (let round = 0; round <= mostRounds; round += 1) {
        let result: Awaited<ReturnType<typeof send>>;
        try {
          result = await send(answered);
        } catch (error) {
          if (!(error instanceof UrlElicitationRequiredError)) throw error;
          if (await visited(error.elicitations, context, signal)) continue;
          throw refused("needs an address to be opened first, which nobody did.");
        }
        if (!isInputRequiredResult(result)) return result;
        const { inputRequests = {}, requestState } = result;
        const requests = Object.entries(inputRequests);
        if (requests.length > mostRequests) {
          throw refused(`asks ${requests.length} questions at once; at most ${mostRequests} are answered.`);
        }
        if (requestState !== undefined && requestState.length > longestState) {
          throw refused(`sends a state of ${requestState.length} characters; at most ${longestState} are sent back.`);
        }
        // A round without questions means: later.
        if (requests.length === 0) await wait(pause, signal);
        const inputResponses = await answerAll(requests, context);
        signal.throwIfAborted();
        answered = {
          ...(requests.length > 0 && { inputResponses }),
          ...(requestState !== undefined && { requestState }),
        };
      }
      throw refused(`still asks after ${mostRounds} rounds of questions.`);
    },
  };
}

function rootOf({ uri, name }: McpRoot) {
  return { uri, ...(name !== undefined && { name }) };
}

const mostRounds = 10;
const mostRequests = 8;
const mostAddresses = 5;
/** Characters. */
const longestState = 65_536;
/** Milliseconds. */
const pause = 250;
/** Milliseconds until a call runs again although its server does not say that the person has finished at an address. */
const patience = 10_000;
