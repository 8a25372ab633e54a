import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StoredEvent } from "@cogency/storage";
import { sqliteStore } from "@cogency/storage-sqlite";
import { expect, it, onTestFinished } from "vitest";
import { bin, place } from "./support/command-line.ts";
import { openedPage } from "./support/open-page.ts";
import { hasPseudoTerminal, pseudoTerminal } from "./support/pseudo-terminal.ts";

const offline = ["--provider", "offline", "--access", "project"];

it("cogency open lets one browser in, shows what other processes do, answers their questions and works until Ctrl-C", async () => {
  const { cogency, start, folder, store: path } = place();
  // A run of another process leaves a question, which the page answers.
  const waiting = await cogency(['write "x" to other.txt', "--conversation", "other", "--wait", ...offline]);
  expect(waiting.code).toBe(6);

  const { child, outcome, origin, token, api, headers, cookie, enter, ask } = await openedPage(start, [
    "other",
    ...offline,
  ]);
  expect(readFileSync(`/proc/${child.pid}/cmdline`, "utf8")).not.toContain(token);
  expect((await enter()).status).toBe(403);

  expect(await ask("")).toMatchObject({ body: [{ conversation: "other", title: 'write "x" to other.txt' }] });
  const other = await follow(`${api}/conversations/other/events?view=log`, headers);
  const asked = await other.until(isQuestion);
  await ask("/other/messages", { id: "1", kind: "approve", question: questionIn(asked) });
  await other.until(isEnd);
  expect(existsSync(join(folder, "other.txt"))).toBe(true);

  // A prompt on the page, with a question that is refused; the same message twice is one.
  const mine = await follow(`${api}/conversations/mine/events?view=log`, headers);
  const prompt = { id: "1", kind: "prompt", content: 'write "x" to mine.txt' };
  for (let post = 0; post < 2; post++) expect((await ask("/mine/messages", prompt)).status).toBe(202);
  const question = questionIn(await mine.until(isQuestion));
  expect((await ask("/mine/messages", { id: "2", kind: "deny", question, reason: "not now" })).status).toBe(202);
  const whole = await mine.until(isEnd);
  expect(whole.filter(({ type }) => type === "user")).toHaveLength(1);
  expect(JSON.stringify(whole)).toContain("not now");
  expect(existsSync(join(folder, "mine.txt"))).toBe(false);
  const fork = await ask("/mine/fork", {});
  expect(fork.status).toBe(201);

  // What another process appends comes, too.
  const elsewhere = await sqliteStore({ path });
  onTestFinished(() => elsewhere.close());
  await elsewhere.append({ conversation: "mine" }, [{ type: "respond", content: "from elsewhere", timestamp: 1 }]);
  await mine.until((event) => event.type === "respond" && event.content === "from elsewhere");
  expect(mine.seen).toEqual(await elsewhere.load({ conversation: "mine" }));

  child.kill("SIGINT");
  const { code, stdout, stderr } = await outcome;
  expect([code, stdout]).toEqual([130, ""]);
  // `written` has read what came before.
  expect(stderr).not.toContain(cookie.split("=")[1]);
  await expect(fetch(origin)).rejects.toThrow();
  expect(JSON.stringify(mine.seen)).not.toContain(token);
});

it.skipIf(!hasPseudoTerminal)(
  "a rule that is chosen on the page counts in the chat that asked, for its next call too; only an offered one can be chosen",
  async () => {
    const here = place();
    const chat = pseudoTerminal(here, ["--store", here.store, ...offline]);
    await chat.shows(/\n>\nready/);
    chat.type('write "x" to docs/one.txt\r');
    await chat.shows(/this session \/ always: write:docs\/one\.txt/);

    const { ask, child, outcome } = await openedPage(here.start, offline);
    const [{ conversation = "" } = {}] = (await ask("")).body as { conversation: string }[];
    const log = await loaded(here.store, conversation);
    const question = questionIn(log);
    const file = "~/.config/cogency/rules.json";
    expect(await ask(`/${conversation}/questions?id=${question}`)).toEqual({
      status: 200,
      body: {
        facts: [],
        rules: [
          { text: "write:docs/one.txt", file },
          { text: "write:docs/**", file },
          { text: "write:docs/**, edit:docs/**, replace:docs/**", file },
        ],
      },
    });
    const approve = { kind: "approve", question };
    const post = async (id: string, rule: string) =>
      (await ask(`/${conversation}/messages`, { id, ...approve, rule })).status;
    for (const rule of ["write", "shell:**", "write:docs/one.txt, shell", ""]) expect(await post("1", rule)).toBe(409);
    expect(existsSync(join(here.folder, "docs/one.txt"))).toBe(false);
    expect(existsSync(join(here.folder, ".config/cogency/rules.json"))).toBe(false);
    expect(await post("2", "write:docs/**")).toBe(202);
    await expect.poll(() => existsSync(join(here.folder, "docs/one.txt")), { timeout: 60_000 }).toBe(true);
    // The question has been answered.
    expect((await ask(`/${conversation}/questions?id=${question}`)).status).toBe(404);
    expect(await post("3", "write:docs/**")).toBe(409);

    const rules = JSON.parse(readFileSync(join(here.folder, ".config/cogency/rules.json"), "utf8"));
    expect(Object.values(rules.folders)).toEqual([{ allow: ["write:docs/**"] }]);
    await expect.poll(async () => (await loaded(here.store, conversation)).some(isEnd), { timeout: 60_000 }).toBe(true);
    await chat.shows(/\n>\nready/);
    chat.type('write "y" to docs/two.txt\r');
    await expect.poll(() => existsSync(join(here.folder, "docs/two.txt")), { timeout: 60_000 }).toBe(true);
    const questions = (await loaded(here.store, conversation)).filter(isQuestion);
    expect(questions).toHaveLength(1);
    chat.kill("SIGTERM");
    await chat.ended;
    child.kill("SIGINT");
    expect((await outcome).code).toBe(130);
  },
);

it.skipIf(!hasPseudoTerminal)("Enter prints a link for another browser, and makes an unused one void", async () => {
  const terminal = pseudoTerminal(place(), ["open", "--no-browser", ...offline], { columns: 200 });
  const links = (text: string) => [...text.matchAll(/^Open (http:\S+)\/#token=(\S+)$/gm)].map(([, ...link]) => link);
  await terminal.shows(/Enter prints one for another browser/);
  terminal.type("\r");
  await terminal.shows(/^Open .*^Open /ms);
  const found = links(terminal.lines().join("\n"));
  const statuses = found.map(async ([origin = "", token]) => {
    const headers = { origin, authorization: `Bearer ${token}` };
    return (await fetch(`${origin}/session`, { method: "POST", headers })).status;
  });
  expect(await Promise.all(statuses)).toEqual([403, 200]);
  terminal.type("\u0003");
  expect(await terminal.ended).toBe(130);
});

it.skipIf(!hasPseudoTerminal)(
  "in the background of a terminal it goes on, and reads nothing of what is typed there",
  async () => {
    const here = place();
    const words = [process.execPath, bin, "open", "--no-browser", ...offline].map((word) => `'${word}'`).join(" ");
    const go = join(here.folder, "go");
    const terminal = pseudoTerminal(
      here,
      [`setInterval(() => require("fs").existsSync(${JSON.stringify(go)}) && process.exit(), 20)`],
      {
        columns: 200,
        before: `set -m; { ${words} & }; pid=$!`,
        command: ["-e"],
        after: 'kill -INT $pid; wait $pid; echo "ended with $?"',
      },
    );
    const [, origin = ""] =
      /^Open (http:[^#]+)#\S+$/m.exec(await terminal.shows(/^Open http.*Ctrl-C ends this/ms)) ?? [];
    // The system stops a process in the background that reads from its terminal, and then it would not answer.
    for (const line of ["one", "two", "three"]) {
      terminal.type(`${line}\r`);
      await terminal.shows(new RegExp(`^${line}$`, "m"));
      expect((await fetch(origin, { signal: AbortSignal.timeout(60_000) })).status).toBe(200);
    }
    writeFileSync(go, "");
    const all = await terminal.shows(/ended with 130/);
    expect(all.match(/^Open /gm)).toHaveLength(1);
  },
);

it("cogency open refuses a port that is none", async () => {
  const { code, stderr } = await place().cogency(["open", "--port", "70000"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("--port must be a port from 1 to 65535")]);
});

const isQuestion = (event: StoredEvent) => event.type === "record" && event.kind === "question";
const isEnd = (event: StoredEvent) => event.type === "record" && event.kind === "run";

function questionIn(log: readonly StoredEvent[]): string {
  return String(log.flatMap((event) => (event.type === "record" && event.kind === "question" ? event.data.id : []))[0]);
}

async function loaded(path: string, conversation: string): Promise<StoredEvent[]> {
  const store = await sqliteStore({ path });
  try {
    return await store.load({ conversation });
  } finally {
    await store.close();
  }
}

/** Follows events as a page does. */
async function follow(address: string, headers: Record<string, string>) {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const { body } = await fetch(address, { headers, signal: leaving.signal });
  const texts = body?.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  const seen: StoredEvent[] = [];
  let rest = "";
  return {
    seen,
    /** All events up to the first one that fits, which may have come already. */
    async until(fits: (event: StoredEvent) => boolean): Promise<StoredEvent[]> {
      while (!seen.some(fits)) {
        const { value, done } = (await texts?.next()) ?? { done: true };
        if (done) throw new Error("The events ended.");
        const blocks = `${rest}${value}`.split("\n\n");
        rest = blocks.pop() ?? "";
        for (const block of blocks) {
          // Pieces of what is being written have no number.
          const [, data] = /^id: \d+\ndata: (.*)$/m.exec(block) ?? [];
          if (data !== undefined) seen.push(JSON.parse(data));
        }
      }
      return seen.slice(0, seen.findIndex(fits) + 1);
    },
  };
}
