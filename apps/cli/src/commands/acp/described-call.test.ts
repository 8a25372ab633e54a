import { expect, it } from "vitest";
import { takenNames } from "../../base/tool-names.ts";
import { describedCall } from "./described-call.ts";

it.each([
  ["read", { file: "a.ts", from: 7 }, { kind: "read", locations: [{ path: "/here/a.ts", line: 7 }] }],
  ["edit", { file: "/here/b.ts", edits: [] }, { kind: "edit", locations: [{ path: "/here/b.ts" }] }],
  ["shell", { command: "npm test\nnpm run lint" }, { kind: "execute", locations: [] }],
  ["scrape", { url: "https://example.org" }, { kind: "fetch", locations: [] }],
])("a call of %s has a kind, and the places that it touches", (name, args, expected) => {
  expect(describedCall(name, args, "/here")).toMatchObject(expected);
});

it("each of the app's own tools has a kind, and others have none", () => {
  for (const name of takenNames) expect(describedCall(name, {}, "/here")?.kind, name).toEqual(expect.any(String));
  expect(describedCall("github__create_issue", {}, "/here")).toBeUndefined();
  expect(describedCall("read", "no object", "/here")).toBeUndefined();
});

it("control characters of arguments are shown", () => {
  const title = describedCall("shell", { command: "ls \u001b[31m\u202e" }, "/here")?.title;
  expect([..."\u001b\u202e"].filter((character) => title?.includes(character))).toEqual([]);
});
