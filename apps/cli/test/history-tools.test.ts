import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LogEvent } from "@cogency/protocol";
import type { ConversationSummary, Key, Match, StoredEvent } from "@cogency/storage";
import { sqliteStore } from "@cogency/storage-sqlite";
import { describe, expect, it } from "vitest";
import { jsonLines, outcomeOf, type Place, place } from "./command-line.ts";

const said = (content: string, timestamp = Date.now() / 1000): LogEvent => ({ type: "user", timestamp, content });

/** A place with these conversations in its store. */
async function stored(...conversations: [Key, ...LogEvent[]][]): Promise<Place> {
  const at = place();
  const store = await sqliteStore({ path: at.store });
  for (const [key, ...events] of conversations) await store.append(key, events);
  await store.close();
  return at;
}

async function eventsIn(path: string, key: Key): Promise<StoredEvent[]> {
  const store = await sqliteStore({ path });
  try {
    return await store.load(key);
  } finally {
    await store.close();
  }
}

describe("cogency history list", () => {
  it("shows the newest first, as a table, and tells that there are more", async () => {
    const { cogency } = await stored(
      [{ conversation: "old" }, said("What is old?", 0), said("And again?", 1)],
      [{ conversation: "new\u001b[2J" }, said("What is new?")],
    );
    const { stdout, stderr } = await cogency(["history", "list"]);
    expect(stdout.replace(/\d{4}-\d\d-\d\d/, "yyyy-mm-dd")).toBe(
      [
        "conversation  last        events  title",
        "new\\u001b[2J  just now         1  What is new?",
        "old           yyyy-mm-dd       2  What is old?",
        "",
      ].join("\n"),
    );
    expect(stderr).toBe("");
    const { stdout: first, stderr: more } = await cogency(["history", "list", "--limit", "1"]);
    expect(first).toContain("What is new?");
    expect(first).not.toContain("old");
    expect(more).toBe("… and more: --limit 5\n");
  });

  it("gives lines of JSON, and only what belongs to the user", async () => {
    const ada = { conversation: "c", user: "Ada" };
    const { cogency } = await stored([ada, said("mine", 5)], [{ conversation: "c" }, said("whose?", 6)]);
    const { stdout } = await cogency(["history", "list", "--json", "--user", "Ada"]);
    expect(jsonLines<ConversationSummary>(stdout)).toEqual([
      { ...ada, title: "mine", events: 1, createdAt: 5, updatedAt: 5 },
    ]);
    expect(await cogency(["history", "list", "--user", "Eve"])).toEqual({
      code: 0,
      stdout: "",
      stderr: "There is no conversation.\n",
    });
  });
});

describe("cogency history search", () => {
  it("shows where the words stand, the best first", async () => {
    const { cogency } = await stored(
      [{ conversation: "garden" }, said("Where is the garden key?")],
      [{ conversation: "beach" }, said("The beach house key is under the mat.")],
      [{ conversation: "c", user: "Eve" }, said("beach key")],
    );
    const { stdout } = await cogency(["history", "search", "BEACH", "key"]);
    expect(stdout).toBe(
      [
        "beach · user · just now · event 1",
        "  The beach house key is under the mat.",
        "",
        "garden · user · just now · event 1",
        "  Where is the garden key?",
        "",
      ].join("\n"),
    );
    const { stdout: json } = await cogency(["history", "search", "beach key", "--json", "--limit", "1"]);
    expect(jsonLines<Match>(json)).toMatchObject([{ conversation: "beach", seq: 1, who: "user" }]);
  });

  it("says that there is nothing", async () => {
    const { cogency } = await stored([{ conversation: "c" }, said("x")]);
    expect(await cogency(["history", "search", "unheard"])).toEqual({
      code: 0,
      stdout: "",
      stderr: "Nothing was found.\n",
    });
  });
});

describe("cogency history delete", () => {
  it("deletes what is named, and says what that was", async () => {
    const { cogency } = await stored(
      [{ conversation: "a" }, said("x"), said("y")],
      [{ conversation: "b" }, said("x")],
      [{ conversation: "c" }, said("x")],
    );
    const { code, stdout } = await cogency(["history", "delete", "a", "b", "--yes"]);
    expect(code).toBe(0);
    expect(stdout).toBe("deleted a · 2 events, last just now\ndeleted b · 1 event, last just now\n");
    expect((await cogency(["history", "list", "--json"])).stdout.match(/"conversation":"."/g)).toEqual([
      '"conversation":"c"',
    ]);
  });

  it("deletes nothing if one of them is not there", async () => {
    const { cogency, store } = await stored([{ conversation: "a" }, said("x")]);
    const { code, stderr } = await cogency(["history", "delete", "a", "b", "--yes"]);
    expect(code).toBe(2);
    expect(stderr).toContain('no conversation "b"');
    expect(await eventsIn(store, { conversation: "a" })).toHaveLength(1);
  });
});

describe("cogency history export and import", () => {
  it("carries everything over, with --raw to the last bit", async () => {
    const keys: Key[] = [{ conversation: "a" }, { conversation: "b\u2028\u0000🙂" }];
    const { cogency, folder, store } = await stored(
      [{ conversation: "a" }, said("API_KEY=abc", 1.25), { type: "cancelled", timestamp: 2 }],
      [{ conversation: "b\u2028\u0000🙂" }, said("\u2029", 3)],
    );
    const { code, stdout, stderr } = await cogency(["history", "export", "--raw", "--output", "all.jsonl"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toBe("exported 2 conversations to all.jsonl: secrets that it holds are kept\n");
    expect(statSync(join(folder, "all.jsonl")).mode & 0o777).toBe(0o600);

    const copy = join(folder, "copy.db");
    const imported = await cogency(["history", "import", "all.jsonl", "--store", copy]);
    expect(imported).toMatchObject({ code: 0, stderr: "" });
    expect(imported.stdout).toContain("imported a · 2 events\n");
    for (const key of keys) expect(await eventsIn(copy, key)).toStrictEqual(await eventsIn(store, key));
    const lists = await Promise.all([store, copy].map((at) => cogency(["history", "list", "--json", "--store", at])));
    expect(lists[0]).toEqual(lists[1]);
  });

  it("redacts secrets, and says so", async () => {
    const { cogency } = await stored(
      [{ conversation: "a" }, said("API_KEY=canary")],
      [{ conversation: "b" }, said("x")],
    );
    const { stdout, stderr } = await cogency(["history", "export", "a"]);
    expect(jsonLines<object>(stdout)).toMatchObject([
      { type: "conversation", version: 1, conversation: "a", events: 1 },
      { type: "user", content: "API_KEY=[redacted]", seq: 1 },
    ]);
    expect(stderr).toBe("exported 1 conversation: what looks like a secret is redacted; --raw keeps it\n");
  });

  it("overwrites a file only with --force, and never the store", async () => {
    const { cogency, folder, store } = await stored([{ conversation: "a" }, said("x")]);
    const output = ["history", "export", "--output", "notes.txt"];
    expect(await cogency(output)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/notes\.txt: it exists.*--force/),
    });
    expect(readFileSync(join(folder, "notes.txt"), "utf8")).toBe("hello from the notes\n");
    expect(await cogency([...output, "--force"])).toMatchObject({ code: 0 });
    expect(jsonLines(readFileSync(join(folder, "notes.txt"), "utf8"))).toHaveLength(2);
    expect(await cogency(["history", "export", "--force", "--output", store])).toMatchObject({ code: 2 });
    expect(await eventsIn(store, { conversation: "a" })).toHaveLength(1);
  });

  it("leaves no file behind when it cannot export", async () => {
    const { cogency, folder } = await stored([{ conversation: "a" }, said("x")]);
    expect(await cogency(["history", "export", "a", "b", "--output", "new.jsonl"])).toMatchObject({ code: 2 });
    expect(readdirSync(folder).toSorted()).toEqual([".cogency", "notes.txt"]);
  });

  it("refuses what is there, and takes it under another name or for another user", async () => {
    const { cogency, store } = await stored([{ conversation: "a" }, said("x")]);
    const { stdout: input } = await cogency(["history", "export"]);
    const refused = await cogency(["history", "import", "-"], { input });
    expect(refused).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/conversation a is there already.*--as/),
    });
    expect(await cogency(["history", "import", "-", "--as", "b"], { input })).toMatchObject({
      code: 0,
      stdout: "imported b · 1 event\n",
    });
    expect(await cogency(["history", "import", "-", "--user", "Ada"], { input })).toMatchObject({
      code: 0,
      stdout: "imported a of Ada · 1 event\n",
    });
    expect(await eventsIn(store, { conversation: "a", user: "Ada" })).toHaveLength(1);
  });

  it("stores nothing of a file with a mistake at its end", async () => {
    const { cogency, folder, store } = await stored([{ conversation: "a" }, said("x")]);
    const { stdout } = await cogency(["history", "export"]);
    const other = stdout.replace('"conversation":"a"', '"conversation":"b"');
    writeFileSync(join(folder, "twice.jsonl"), `${other}${other}`);
    writeFileSync(join(folder, "cut.jsonl"), `${other}${stdout.slice(0, -20)}`);
    expect(await cogency(["history", "import", "twice.jsonl"])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/twice\.jsonl line 3: .*twice/),
    });
    expect(await cogency(["history", "import", "cut.jsonl"])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/cut\.jsonl line 4: it is no JSON/),
    });
    expect(await eventsIn(store, { conversation: "b" })).toEqual([]);
  });

  it("ends quietly when its reader leaves", async () => {
    const long = Array.from({ length: 3_000 }, (_, index) => said(`${index} ${"x".repeat(500)}`));
    const { start } = await stored([{ conversation: "a" }, ...long]);
    const child = start(["history", "export"]);
    child.stdout.once("data", () => child.stdout.destroy());
    child.stdin.end();
    const errors = outcomeOf(child).catch(() => undefined);
    const code = await new Promise((resolve) => child.once("exit", resolve));
    await errors;
    expect(code).toBe(0);
  });
});
