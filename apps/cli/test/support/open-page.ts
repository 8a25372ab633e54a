import { expect } from "vitest";
import { outcomeOf, type Place, written } from "./command-line.ts";

/** Starts `cogency open` and comes in, as the first browser does. */
export async function openedPage(start: Place["start"], args: readonly string[]) {
  const child = start(["open", ...args], { keepsInput: true });
  const outcome = outcomeOf(child);
  const [, origin = "", token = ""] =
    /^Open (http:\/\/127\.0\.0\.1:\d+)\/#token=([\w-]+)/m.exec(await written(child.stderr, /one browser/)) ?? [];
  const enter = () =>
    fetch(`${origin}/session`, { method: "POST", headers: { origin, authorization: `Bearer ${token}` } });
  const entered = await enter();
  expect(entered.status).toBe(200);
  const cookie = entered.headers.get("set-cookie")?.split(";")[0] ?? "";
  const api = `${origin}${((await entered.json()) as { path: string }).path}/api`;
  const headers = { origin, cookie, "content-type": "application/json" };
  const ask = async (address: string, body?: object) => {
    const init = body && { method: "POST", body: JSON.stringify(body) };
    const answer = await fetch(`${api}/conversations${address}`, { headers, ...init });
    return { status: answer.status, body: (await answer.json()) as unknown };
  };
  return { child, outcome, origin, token, api, headers, cookie, enter, ask };
}
