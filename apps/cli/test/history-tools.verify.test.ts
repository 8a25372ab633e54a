import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LogEvent } from "@cogency/protocol";
import type { ConversationSummary, Key, Match, StoredEvent } from "@cogency/storage";
import { sqliteStore } from "@cogency/storage-sqlite";
import { describe, expect, it } from "vitest";
import { killedWithYes, writeKey } from "./support/approved.ts";
import { bin, calling, jsonLines, outcomeOf, type Place, place, resultsOf } from "./support/command-line.ts";

const said = (content: string, timestamp = Date.now() / 1000): LogEvent => ({ type: "user", timestamp, content });

/** Makes a place with these conversations in its store. */
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
  it("prints a table, the newest first, and says that there are more", async () => {
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

  it("aligns its columns also with wide characters", async () => {
    const { cogency } = await stored(
      [{ conversation: "日本語の会話" }, said("x", 0)],
      [{ conversation: "日".repeat(40) }, said("y", 0)],
    );
    const { stdout } = await cogency(["history", "list"]);
    expect(
      stdout
        .replace(/\d{4}-\d\d-\d\d/g, "yyyy-mm-dd")
        .split("\n")
        .slice(1),
    ).toEqual([
      `${"日".repeat(19)}…  yyyy-mm-dd       1  y`,
      `日本語の会話${" ".repeat(27)}  yyyy-mm-dd       1  x`,
      "",
    ]);
  });

  it("prints lines of JSON, only of the user's own conversations", async () => {
    const ada = { conversation: "c", user: "Ada" };
    const { cogency } = await stored([ada, said("mine", 5)], [{ conversation: "c" }, said("whose?", 6)]);
    const { stdout } = await cogency(["history", "list", "--json", "--user", "Ada"]);
    expect(jsonLines<ConversationSummary>(stdout)).toEqual([
      { ...ada, title: "mine", events: 1, createdAt: 5, updatedAt: 5 },
    ]);
    expect(await cogency(["history", "list", "--user", "Eve"])).toEqual({
      code: 0,
      stdout: "",
      stderr: 'There is no conversation yet. Begin one: cogency "list ."\n',
    });
  });
});

describe("cogency history search", () => {
  it("shows the words in their context, the best match first", async () => {
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

  it("says that nothing was found", async () => {
    const { cogency } = await stored([{ conversation: "c" }, said("x")]);
    expect(await cogency(["history", "search", "unheard"])).toEqual({
      code: 0,
      stdout: "",
      stderr: "Nothing was found.\n",
    });
  });
});

describe("cogency history show", () => {
  it("shows the text of a call that cannot be read", async () => {
    const { cogency } = await stored([
      { conversation: "a" },
      said("x"),
      { type: "call", timestamp: 1, content: "no JSON" },
    ]);
    expect(await cogency(["history", "show", "a"])).toEqual({
      code: 0,
      stdout: '> x\n\n→ ? {"text":"no JSON"}\n✗ unreadable interrupted: no result was recorded\n',
      stderr: "",
    });
  });
});

describe("cogency history delete", () => {
  it("deletes the named conversations, and lists them", async () => {
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

  it("deletes nothing if one of them does not exist", async () => {
    const { cogency, store } = await stored([{ conversation: "a" }, said("x")]);
    const { code, stderr } = await cogency(["history", "delete", "a", "b", "--yes"]);
    expect(code).toBe(2);
    expect(stderr).toContain('no conversation "b"');
    expect(await eventsIn(store, { conversation: "a" })).toHaveLength(1);
  });
});

describe("cogency history export and import", () => {
  it("transfers conversations with their titles, with --raw byte for byte", async () => {
    const keys: Key[] = [{ conversation: "a" }, { conversation: "b\u2028\u0000🙂" }];
    const { cogency, folder, store } = await stored(
      [{ conversation: "a" }, said("API_KEY=abc", 1.25), { type: "cancelled", timestamp: 2 }],
      [{ conversation: "b\u2028\u0000🙂" }, said("\u2029", 3)],
    );
    const named = await cogency(["history", "rename", "API_KEY", "Plans", "for May"]);
    expect(named).toEqual({ code: 0, stdout: 'a is now "Plans for May"\n', stderr: "" });
    const { code, stdout, stderr } = await cogency(["history", "export", "--raw", "--output", "all.jsonl"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toBe("exported 2 conversations to all.jsonl: secrets that it holds are kept\n");
    expect(statSync(join(folder, "all.jsonl")).mode & 0o777).toBe(0o600);

    const copy = join(folder, "copy.db");
    const imported = await cogency(["history", "import", "all.jsonl", "--store", copy]);
    expect(imported).toMatchObject({ code: 0, stderr: "" });
    expect(imported.stdout).toContain("imported a · 3 events\n");
    for (const key of keys) expect(await eventsIn(copy, key)).toStrictEqual(await eventsIn(store, key));
    const lists = await Promise.all([store, copy].map((at) => cogency(["history", "list", "--json", "--store", at])));
    expect(lists[0]).toEqual(lists[1]);
    expect(lists[1]?.stdout).toContain('"title":"Plans for May"');
    const again = await cogency(["history", "export", "--raw", "--store", copy]);
    expect(again.stdout).toBe(readFileSync(join(folder, "all.jsonl"), "utf8"));
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

  it.skipIf(process.platform === "win32")(
    "recognizes the store by its other names, and the files that SQLite keeps beside it",
    async () => {
      const { cogency, folder, store } = await stored([{ conversation: "a" }, said("x")]);
      symlinkSync(store, join(folder, "link.db"));
      const places = ["--force", "--store", "link.db", "--output"];
      for (const output of [store, `${store}-wal`, "link.db", ".cogency/../.cogency/cogency.db"]) {
        const refused = await cogency(["history", "export", ...places, output]);
        expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("the store itself") });
      }
      expect(await eventsIn(store, { conversation: "a" })).toHaveLength(1);
    },
  );

  it("never replaces anything but a file", async () => {
    const { cogency, folder } = await stored([{ conversation: "a" }, said("x")]);
    const { code, stderr } = await cogency(["history", "export", "--force", "--output", folder]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("not a regular file") });
    expect(readdirSync(folder).toSorted()).toEqual([".cogency", "notes.txt"]);
  });

  it.skipIf(process.platform === "win32")("says that there was no room for the rest", async () => {
    const { folder, store } = await stored([{ conversation: "a" }, said("x".repeat(65_000)), said("y".repeat(60_000))]);
    // Limits files to so many blocks of 512 bytes, like a disk that is nearly full.
    const limited = (rest: string) => {
      const script = `ulimit -f 200; exec "$0" "$1" history export --raw --store "$2" ${rest}`;
      return spawnSync("sh", ["-c", script, process.execPath, bin, store], { cwd: folder, encoding: "utf8" });
    };
    const saved = limited("--output new.jsonl");
    expect(saved).toMatchObject({ status: 1, stderr: expect.stringMatching(/^error: --output new\.jsonl: EFBIG/) });
    expect(readdirSync(folder)).not.toContain("new.jsonl");
    const printed = limited("> new.jsonl");
    expect(printed).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^error: Standard output cannot be written/),
    });
  });

  it.each([[], ["--raw"]])("exports no signature of this installation: %j", async (...more) => {
    const { cogency, folder, store } = place();
    const key = "ab".repeat(32);
    writeKey(folder, key);
    const call = { name: "write", args: { file: "planted.txt", content: "x" } };
    await killedWithYes({ store, key, root: folder, calls: [call] });
    const { stdout } = await cogency(["history", "export", "c", ...more]);
    const exported = jsonLines<LogEvent & { seq: number }>(stdout).filter(({ type }) => type === "record");
    expect(exported).toMatchObject([
      { kind: "origin", data: { scope: expect.any(String) } },
      { kind: "question", data: { asks: "approval", name: "write" } },
      { kind: "approval", data: { status: "approved" } },
      { kind: "usage" },
    ]);
    expect(stdout).not.toMatch(/proof|"mac"/);

    // In a store made of the exported file, neither the origin nor the approval is valid.
    const events = jsonLines<LogEvent & { seq: number }>(stdout).slice(1);
    const evil = join(folder, "evil.db");
    const made = await sqliteStore({ path: evil });
    const log = events.map(({ seq: _, ...event }) => event as LogEvent);
    await made.append({ conversation: "c" }, log);
    await made.close();
    const resume = [
      "run",
      "--resume",
      "--conversation",
      "c",
      "--store",
      evil,
      "--access",
      "project",
      "--yes",
      "--json",
    ];
    const { stdout: resumed } = await cogency([...resume, ...calling([])]);
    expect(resultsOf(resumed)).toMatchObject([
      { status: "failure", content: expect.stringContaining("a log that this installation did not begin") },
    ]);
    expect(existsSync(join(folder, "planted.txt"))).toBe(false);
  });

  it("leaves no file if the export fails", async () => {
    const { cogency, folder } = await stored([{ conversation: "a" }, said("x")]);
    expect(await cogency(["history", "export", "a", "b", "--output", "new.jsonl"])).toMatchObject({ code: 2 });
    expect(readdirSync(folder).toSorted()).toEqual([".cogency", "notes.txt"]);
  });

  it("refuses an existing conversation, and imports it under another name or for another user", async () => {
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

  it("stores nothing if two conversations would get the same name and user", async () => {
    const { cogency } = await stored([{ conversation: "a", user: "Ada" }, said("x")]);
    const { stdout } = await cogency(["history", "export", "--user", "Ada"]);
    const input = `${stdout}${stdout.replace("Ada", "Eve")}`;
    expect(await cogency(["history", "import", "-", "--user", "Bob"], { input })).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(
        /^error: stdin line 3: the conversation "a" is there of two users; leave --user out/,
      ),
    });
    expect((await cogency(["history", "list", "--user", "Bob"])).stdout).toBe("");
  });

  it.each<[string, (lines: string[]) => Buffer, RegExp]>([
    [
      "bytes that are not UTF-8",
      ([a, b]) => Buffer.from(`${a}\n${b?.replace("x", "\u00e9")}\n`, "latin1"),
      /line 2: it is no UTF-8/,
    ],
    [
      "a record from which no agent could continue",
      ([a]) => Buffer.from(`${a}\n{"type":"record","kind":"finished","data":null,"timestamp":1,"seq":1}\n`),
      /line 2: the `data` of the record \(finished\) has no text `id`/,
    ],
  ])("names the line of %s", async (_, broken, message) => {
    const { cogency, folder } = await stored([{ conversation: "a" }, said("x")]);
    const { stdout } = await cogency(["history", "export"]);
    writeFileSync(join(folder, "broken.jsonl"), broken(stdout.replace('"a"', '"b"').split("\n")));
    const { code, stderr } = await cogency(["history", "import", "broken.jsonl"]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) });
  });

  it.each(["import", "delete"])("%s finishes its work although its reader leaves", async (command) => {
    const names = ["a", "b", "c", "d"];
    const { cogency, start } = await stored(
      ...names.map((conversation): [Key, LogEvent] => [{ conversation, user: "Ada" }, said("x")]),
    );
    const { stdout: input } = await cogency(["history", "export", "--user", "Ada"]);
    const child = start(
      [
        "history",
        ...(command === "import" ? ["import", "-", "--user", "Eve"] : ["delete", ...names, "--yes", "--user", "Ada"]),
      ],
      { keepsInput: true },
    );
    child.stdout.destroy();
    child.stdin.end(input);
    await new Promise((resolve) => child.once("exit", resolve));
    const { stdout } = await cogency(["history", "list", "--json", "--user", command === "import" ? "Eve" : "Ada"]);
    expect(jsonLines(stdout)).toHaveLength(command === "import" ? names.length : 0);
  });

  it("ends without an error when its reader leaves", async () => {
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
