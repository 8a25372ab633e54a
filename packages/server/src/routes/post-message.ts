import { readJson } from "../body/read-json.ts";
import { readMessage } from "../body/read-message.ts";
import { jsonResponse } from "../json-response.ts";
import { Problem } from "../problem.ts";
import type { AskedOfOne } from "../route.ts";
import { checkExists } from "./check-exists.ts";

/** `POST /conversations/ID/messages`: puts a message into the inbox, once per id. A prompt may begin a conversation. */
export async function postMessage(asked: AskedOfOne): Promise<Response> {
  const { agent, store, key, sender, limits } = asked;
  const message = readMessage(await readJson(asked));
  const { id, content } = message;
  if ("question" in content) await checkExists(asked);
  try {
    await limits.post(message, key, store, () => agent.send(key, content, { id, from: sender.from }));
  } catch (error) {
    // The agent has limits for attachments.
    const isRefused = error instanceof TypeError || error instanceof RangeError;
    if (!isRefused || !("attachments" in content)) throw error;
    throw new Problem("invalid_request", error.message, { cause: error });
  }
  return jsonResponse(202, { id });
}
