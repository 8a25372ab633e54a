import { expect, it } from "vitest";
import { createBrowserSession } from "./browser-session.ts";

it("a token lets in once, and a wrong one does not use it up", () => {
  const session = createBrowserSession("8080");
  expect(session.token).toMatch(/^[\w-]{43}$/);
  expect(session.enter(`${session.token}x`)).toBeUndefined();
  expect(session.enter("")).toBeUndefined();
  expect(session.enter(session.token)).toBeDefined();
  expect(session.enter(session.token)).toBeUndefined();
});

it("the cookie is for scripts of no page, for this site only, and for a path that only the page knows", () => {
  const session = createBrowserSession("8080");
  const cookie = session.enter(session.token) ?? "";
  const [pair = "", ...attributes] = cookie.split("; ");
  expect(pair).toMatch(/^cogency-8080=[\w-]{43}$/);
  expect(attributes).toEqual([`Path=${session.path}/`, "HttpOnly", "SameSite=Strict"]);
  expect(cookie).not.toContain(session.token);
  expect(session.path).not.toContain(session.token);
});

it("a request needs the cookie and the path, whatever other cookies come with it", () => {
  const session = createBrowserSession("8080");
  const forged = "cogency-8080=x";
  expect(session.admits(`${session.path}/`, "cogency-8080=")).toBe(false);
  const [pair = ""] = (session.enter(session.token) ?? "").split("; ");
  for (const cookies of [pair, `${forged}; ${pair}`, `${pair}; ${forged}`, `a=1;${pair};b=2`])
    expect(session.admits(`${session.path}/api`, cookies)).toBe(true);
  const other = createBrowserSession("8080");
  const [otherPair = ""] = (other.enter(other.token) ?? "").split("; ");
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
