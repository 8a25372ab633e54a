import { readJson } from "../body/read-json.ts";
import { checkExists } from "../conversation/check-exists.ts";
import { jsonResponse } from "../json-response.ts";
import { Problem } from "../problem.ts";
import type { AskedOfOne } from "../route.ts";

/** `POST /conversations/ID/fork`: begins another conversation with the first `at` events of this one, or with all. */
export async function forkConversation(asked: AskedOfOne): Promise<Response> {
  const { agent, key, sender, limits } = asked;
  const { at, ...others } = await readJson(asked);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new Problem("invalid_request", `A fork has no \`${unknown.slice(0, 40)}\`.`);
  if (at !== undefined && typeof at !== "number") throw new Problem("invalid_request", "`at` is a number of events.");
  await checkExists(asked);
  limits.countConversation(sender.user);
  try {
    const conversation = await agent.fork(key.conversation, { at, user: sender.user });
    return jsonResponse(201, { conversation });
  } catch (error) {
    // Outside of the log, or inside of an open batch: the message names the nearest numbers that are allowed.
    if (error instanceof RangeError) throw new Problem("invalid_request", error.message, { cause: error });
    throw error;
  }
}
