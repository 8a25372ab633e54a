import { readJson } from "../body/read-json.ts";
import { checkExists } from "../conversation/check-exists.ts";
import { jsonResponse } from "../json-response.ts";
import { Problem } from "../problem.ts";
import type { AskedOfOne } from "../route.ts";
import { storeNamed } from "./store-named.ts";

/**
 * `PATCH /conversations/ID`: gives a conversation the title that lists show from then on. While a run is at work, nobody else may write
 * its log: then the title waits in the inbox, and the run stores it before its next request, or at its end.
 */
export async function renameConversation(asked: AskedOfOne): Promise<Response> {
  const { title, ...others } = await readJson(asked);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new Problem("invalid_request", `\`${unknown.slice(0, 40)}\` of a conversation cannot be changed.`);
  const text = checkedTitle(title);
  await checkExists(asked);
  const status = await storeNamed(asked, { kind: "title", content: text });
  return jsonResponse(status, { conversation: asked.key.conversation, title: text });
}

/** @throws Problem `invalid_request` */
function checkedTitle(title: unknown): string {
  const text = typeof title === "string" ? title.replaceAll(/[\s\p{Cc}]+/gu, " ").trim() : "";
  const length = Array.from(text).length;
  if (length > 0 && length <= longest) return text;
  throw new Problem("invalid_request", `\`title\` is a text of 1 to ${longest} characters on one line.`);
}

/** What stores keep of a title (`ConversationSummary`). */
const longest = 80;
