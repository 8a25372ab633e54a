import type { Json } from "@cogency/protocol";
import { McpHostError } from "../call-host.ts";
import { type ClientAbilities, type ClientInputs, type InputAsked, mostInputs } from "./client-inputs.ts";

/** How often a client is asked again after answers that do not fit. */
const attempts = 3;

/**
 * Asks one thing after another, while the request goes on.
 *
 * @param send asks the client, and resolves with its answer as it came
 */
export function askedInputs(
  can: ClientAbilities,
  send: (input: Pick<InputAsked<unknown>, "method" | "params">) => Promise<unknown>,
): ClientInputs {
  const memory = new Map<string, Json>();
  let count = 0;

  async function answerTo<Value>({ method, params }: InputAsked<Value>): Promise<unknown> {
    count++;
    if (count > mostInputs) {
      throw new McpHostError("too_many", `The call has asked the client ${mostInputs} times, which is the most.`);
    }
    return send({ method, params });
  }

  return {
    can,
    async request(_key, input) {
      let problem = "";
      for (let attempt = 0; attempt < attempts; attempt++) {
        const reading = await input.read(await answerTo(input));
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
