import { conversationNamed } from "../body/conversation-name.ts";
import { readText } from "../body/read-json.ts";
import { checkExists } from "../conversation/check-exists.ts";
import { createDoor, type DoorSettings, problemResponse, type Visitor } from "../door/door.ts";
import { doorTable } from "../door/door-options.ts";
import type { HandlerOptions } from "../handler-options.ts";
import { jsonResponse } from "../json-response.ts";
import { Problem } from "../problem.ts";
import { anonymousUser } from "../user.ts";
import type { NoticeCaller, NoticeOptions } from "./notice-options.ts";
import { readNotice } from "./read-notice.ts";

/**
 * The door for programs outside: `POST /conversations/ID/notices`. They sign in by `notices.authenticate` alone, and can do nothing else.
 *
 * @returns answers a request to this address, and is undefined for every other one
 */
export function openNotices(options: HandlerOptions, notices: NoticeOptions) {
  const { prefix, limits, maxBodyBytes, bodyTimeout, onError } = options;
  // Who calls is known once the body is read: signatures are made over it.
  const authenticate = () => ({ id: anonymousUser }) as const;
  const door = createDoor(
    "createHandler",
    { authenticate, prefix, limits, maxBodyBytes, bodyTimeout, onError },
    doorTable,
  );
  const asked = { ...door.settings, options, notices };
  return (request: Request): Promise<Response> | undefined => {
    const path = new URL(request.url).pathname.slice(door.settings.prefix.length);
    if (!/^\/conversations\/[^/]+\/notices$/.test(path)) return undefined;
    return door.open(request, (visitor) => postNotice({ ...asked, ...visitor }), problemResponse);
  };
}

interface Asked extends Visitor, DoorSettings {
  options: HandlerOptions;
  notices: NoticeOptions;
}

async function postNotice(asked: Asked): Promise<Response> {
  const { request, path, limits, notices, options } = asked;
  const { agent, store } = options;
  if (request.method !== "POST")
    throw new Problem("method_not_allowed", "This address has only POST.", { headers: { allow: "POST" } });
  const body = await readText(asked);
  const caller = await notices.authenticate(request, body);
  if (caller === undefined || caller === null)
    throw new Problem("unauthorized", "The signature of the notice is missing or wrong.");
  limits.countRequest(`${caller.source}`);
  const key = { conversation: conversationNamed(path.split("/")[2] ?? ""), user: userOf(caller) };
  const { id, content } = readNotice(request, body, caller);
  await checkExists({ store, key });
  await limits.post({ id, content }, key, store, () => agent.send(key, content, { id }));
  return jsonResponse(202, { id });
}

/** @throws TypeError */
function userOf({ user }: NoticeCaller): string | undefined {
  if (user === anonymousUser) return undefined;
  if (typeof user === "string" && user !== "") return user;
  throw new TypeError("notices.authenticate returned a caller whose `user` is not a text.");
}
