import { missingResults } from "@cogency/protocol";
import { isPointName } from "@cogency/protocol/host";
import { readJson } from "../body/read-json.ts";
import { checkExists } from "../conversation/check-exists.ts";
import { jsonResponse } from "../json-response.ts";
import { Problem } from "../problem.ts";
import type { AskedOfOne } from "../route.ts";
import { storeNamed } from "./store-named.ts";

/**
 * `POST /conversations/ID/points`: names the point after the first `at` events; with `at` 0 it takes the name back. While a run is at
 * work, the name waits in the inbox, as a title does.
 */
export async function namePoint(asked: AskedOfOne): Promise<Response> {
  const { name, at, ...others } = await readJson(asked);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new Problem("invalid_request", `A point has no \`${unknown.slice(0, 40)}\`.`);
  if (typeof name !== "string" || !isPointName(name))
    throw new Problem("invalid_request", "`name` is a text of 1 to 60 visible characters on one line.");
  if (typeof at !== "number" || !Number.isInteger(at) || at < 0)
    throw new Problem("invalid_request", "`at` is a number of events; 0 takes the name back.");
  await checkExists(asked);
  await checkPlace(at, asked);
  const status = await storeNamed(asked, { kind: "point", content: name, at });
  return jsonResponse(status, { conversation: asked.key.conversation, name, at });
}

/** @throws Problem `invalid_request` for a place outside of the log, or between a call and its result */
async function checkPlace(at: number, { store, key }: AskedOfOne): Promise<void> {
  if (at === 0) return;
  const log = await store.load(key, { limit: at });
  if (log.length < at)
    throw new Problem("invalid_request", `\`at\` is ${at}; the conversation has ${log.length} events.`);
  if (missingResults(log).length > 0)
    throw new Problem(
      "invalid_request",
      `\`at\` is ${at}, between a call and its result: no conversation can go on there.`,
    );
}
