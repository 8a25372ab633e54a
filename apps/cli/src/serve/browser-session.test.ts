import { expect, it } from "vitest";
import { createBrowserSession } from "./browser-session.ts";

it("a token lets in once, and a wrong one does not use it up", () => {
  const session = createBrowserSession("8080");
  expect(session.enter("")).toBeUndefined();
  const token = session.newToken();
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(session.enter(`${token}x`)).toBeUndefined();
  expect(session.enter("")).toBeUndefined();
  expect(session.enter(token)).toBeDefined();
  expect(session.enter(token)).toBeUndefined();
});

it("a new token lets one more browser in, beside those that are in, and makes the one before it void", () => {
  const session = createBrowserSession("8080");
  const [first = ""] = session.enter(session.newToken())?.split("; ") ?? [];
  const unused = session.newToken();
  const [second = ""] = session.enter(session.newToken())?.split("; ") ?? [];
  expect(session.enter(unused)).toBeUndefined();
  for (const pair of [first, second]) expect(session.admits(`${session.path}/`, pair)).toBe(true);
});

it("the cookie is for scripts of no page, for this site only, and for a path that only the page knows; it outlives the browser's end", () => {
  const session = createBrowserSession("8080");
  const token = session.newToken();
  const cookie = session.enter(token) ?? "";
  const [pair = "", ...attributes] = cookie.split("; ");
  expect(pair).toMatch(/^cogency-8080=[\w-]{43}$/);
  expect(attributes).toEqual([`Path=${session.path}/`, "Max-Age=2592000", "HttpOnly", "SameSite=Strict"]);
  expect(cookie).not.toContain(token);
  expect(session.path).not.toContain(token);
});

it("a request needs the cookie and the path, whatever other cookies come with it", () => {
  const session = createBrowserSession("8080");
  const forged = "cogency-8080=x";
  expect(session.admits(`${session.path}/`, "cogency-8080=")).toBe(false);
  const [pair = ""] = (session.enter(session.newToken()) ?? "").split("; ");
  for (const cookies of [pair, `${forged}; ${pair}`, `${pair}; ${forged}`, `a=1;${pair};b=2`])
    expect(session.admits(`${session.path}/api`, cookies)).toBe(true);
  const other = createBrowserSession("8080");
  const [otherPair = ""] = (other.enter(other.newToken()) ?? "").split("; ");
  for (const [path, cookies] of [
    [`${session.path}/`, null],
    [`${session.path}/`, ""],
    [`${session.path}/`, forged],
    [`${session.path}/`, otherPair],
    [`${session.path}/`, pair.slice(0, -1)],
    [`${session.path}x`, pair],
    ["/", pair],
    [`${other.path}/`, pair],
    [`/x${session.path}/`, pair],
  ] as const) {
    expect(session.admits(path, cookies)).toBe(false);
  }
});
