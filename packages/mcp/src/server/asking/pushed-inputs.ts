import type { Json } from "@cogency/protocol";
import { ProtocolError, type ServerContext } from "@modelcontextprotocol/server";
import { McpHostError } from "../call-host.ts";
import { type ClientAbilities, type ClientInputs, type InputAsked, mostInputs } from "./client-inputs.ts";

/** How often a client is asked again after answers that do not fit. */
const attempts = 3;

/** Asks by requests of the server, as the revisions up to 2025-11-25 have them. `patience` is in milliseconds. */
export function pushedInputs({ mcpReq }: ServerContext, can: ClientAbilities, patience: number): ClientInputs {
  const memory = new Map<string, Json>();
  let count = 0;

  async function send<Value>({ method, params }: InputAsked<Value>): Promise<unknown> {
    count++;
    if (count > mostInputs) {
      throw new McpHostError("too_many", `The call has asked the client ${mostInputs} times, which is the most.`);
    }
    try {
      return await mcpReq.send({ method, params }, { timeout: patience, signal: mcpReq.signal });
    } catch (error) {
      const why = error instanceof ProtocolError ? `It refused: ${error.message}` : "It did not answer.";
      throw new McpHostError("no_answer", `The client was asked (${method}) and gave no answer. ${why}`);
    }
  }

  return {
    can,
    async request(_key, input) {
      let problem = "";
      for (let attempt = 0; attempt < attempts; attempt++) {
        const reading = await input.read(await send(input));
        if ("value" in reading) return reading.value;
        problem = reading.problem;
      }
      throw new McpHostError(
        "bad_answer",
        `The client was asked (${input.method}), and its answer does not fit: ${problem}`,
      );
    },
    kept: (key) => memory.get(key),
    keep: (key, value) => void memory.set(key, value),
  };
}
