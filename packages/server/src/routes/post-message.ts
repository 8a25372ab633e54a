import { readJson } from "../body/read-json.ts";
import { type PostedMessage, readMessage } from "../body/read-message.ts";
import { refusedContent } from "../body/refused-content.ts";
import { checkExists } from "../conversation/check-exists.ts";
import { jsonResponse } from "../json-response.ts";
import { Problem } from "../problem.ts";
import type { AskedOfOne } from "../route.ts";

/** `POST /conversations/ID/messages`: puts a message into the inbox, once per id. A prompt may begin a conversation. */
export async function postMessage(asked: AskedOfOne): Promise<Response> {
  const { agent, store, key, sender, limits } = asked;
  const message = readMessage(await readJson(asked));
  const { id, content, rule } = message;
  if ("question" in content) await checkExists(asked);
  try {
    await limits.post(message, key, store, async () => {
      if (rule) await keepRule(asked, id, rule);
      await agent.send(key, content, { id, from: sender.from });
    });
  } catch (error) {
    throw refusedContent(error, content);
  }
  return jsonResponse(202, { id });
}

/** @throws Problem `conflict` if the host does not offer the rule, unless the message has arrived before: then it was kept */
async function keepRule({ questions, store, key }: AskedOfOne, id: string, { question, text }: Rule): Promise<void> {
  if (await questions.keep(key, question, text)) return;
  const waiting = await store.inbox(key);
  if (waiting.some((one) => one.id === id)) return;
  const records = await store.load(key, { types: ["record"] });
  if (records.some((one) => one.type === "record" && one.kind === "message" && one.data.id === id)) return;
  throw new Problem("conflict", "This question does not offer that rule, or is not open any more.");
}

type Rule = NonNullable<PostedMessage["rule"]>;
