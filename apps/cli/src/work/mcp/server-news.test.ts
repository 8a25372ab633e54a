import { expect, it } from "vitest";
import { tellNews } from "./server-news.ts";
import type { ServerView } from "./servers.ts";

const view = (status: ServerView["status"], reason?: string): ServerView => ({
  ...{ name: "docs", status, reason, kind: "program", identity: "docs", place: "yours" },
  ...{ tools: ["docs__a"], prompts: [], resources: 0, problems: [], isTried: true },
});

/** What is told of these states, one after another. */
function told(...states: readonly ServerView[]): string[] {
  const lines: string[] = [];
  let tell = (_: ServerView) => {};
  const onChange = (listener: typeof tell) => {
    tell = listener;
    return () => {};
  };
  tellNews({ onChange }, (line) => lines.push(line), { isChat: true });
  for (const state of states) tell(state);
  return lines;
}

it.each([
  ["nothing of a server that is there at once", [view("connecting"), view("ready")], []],
  [
    "that one is away, once, however often it fails",
    [view("waiting", "A."), view("connecting"), view("waiting", "B.")],
    ["The server docs is away: A."],
  ],
  [
    "that one comes again",
    [view("ready"), view("waiting", "A."), view("ready")],
    ["The server docs is away: A.", "The server docs is ready, 1 tool"],
  ],
  ["that one needs a login", [view("needs_login")], ["The server docs needs a login: /mcp login docs"]],
  ["nothing of the end of the chat", [view("ready"), view("closed")], []],
])("a chat is told %s", (_, states, lines) => {
  expect(told(...states)).toEqual(lines);
});
