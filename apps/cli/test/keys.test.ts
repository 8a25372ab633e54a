import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LogEvent } from "@cogency/protocol";
import { sqliteStore } from "@cogency/storage-sqlite";
import { describe, expect, it } from "vitest";
import { approved, writeKey } from "./support/approved.ts";
import { calling, outcomeOf, place, resultsOf } from "./support/command-line.ts";

const key = "ab".repeat(32);
const run = ["run", "go", ...calling([])];

describe("the key of this installation", () => {
  it("is made by the first run, readable by its owner only, and is the same for two runs at once", async () => {
    const { start, folder } = place();
    const outcomes = await Promise.all([start(run), start(run)].map((child) => outcomeOf(child)));
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0]);
    const file = join(folder, ".config", "cogency", "keys");
    expect(readFileSync(file, "utf8")).toMatch(/^[\da-f]{64}\n$/);
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each([
    ["XDG_CONFIG_HOME", (folder: string) => ({ XDG_CONFIG_HOME: join(folder, "mine") }), "mine"],
    ["the user, if XDG_CONFIG_HOME is relative", () => ({ XDG_CONFIG_HOME: "mine" }), ".config"],
  ])("lies in the folder of %s", async (_, env, where) => {
    const { cogency, folder } = place();
    expect(await cogency(run, { env: env(folder) })).toMatchObject({ code: 0 });
    expect(existsSync(join(folder, where, "cogency", "keys"))).toBe(true);
  });

  it("is made neither for a store in memory nor by reading commands", async () => {
    const { cogency, folder } = place();
    expect(await cogency([...run, "--store", ":memory:"])).toMatchObject({ code: 0 });
    await cogency(["history", "list"]);
    expect(existsSync(join(folder, ".config"))).toBe(false);
  });

  it.skipIf(process.platform === "win32")("is refused if other users can read it, and nothing is stored", async () => {
    const { cogency, folder, store } = place();
    const file = join(folder, ".config", "cogency", "keys");
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, key);
    chmodSync(file, 0o644);
    const { code, stdout, stderr } = await cogency(run);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(
      /^error: The key of this installation cannot be used: .*keys: other users may read or write it/,
    );
    expect(stderr).not.toContain("abab");
    expect(existsSync(store)).toBe(false);
  });

  it("belongs to the process if no file can be kept, which stderr says once", async () => {
    const { cogency, folder } = place();
    writeFileSync(join(folder, ".config"), "a file");
    const { code, stderr } = await cogency(run);
    expect(code).toBe(0);
    expect(stderr.match(/No key can be kept in .* \(ENOTDIR\): what you approve now is asked again/g)).toHaveLength(1);
  });
});

const write = { name: "write", args: { file: "planted.txt", content: "x" } };
const event = (fields: object) => ({ timestamp: 1, ...fields }) as LogEvent;
const begun = [
  event({ type: "user", content: "go" }),
  event({ type: "call", content: JSON.stringify(write), id: "1" }),
];

describe("an approval from elsewhere", () => {
  it("is dropped by an import, which says so, and its call does not run", async () => {
    const { cogency, folder, store: path } = place();
    const asked = event({
      type: "record",
      kind: "approval",
      data: { id: "1", name: "write", hash: "h", status: "asked" },
    });
    const origin = event({ type: "record", kind: "origin", data: { proof: { key: "k", mac: "0".repeat(64) } } });
    const events = [origin, ...begun, asked, await approved("1", write, key)];
    const header = { type: "conversation", version: 1, conversation: "c", events: events.length };
    const input = [header, ...events.map((one, index) => ({ ...one, seq: index + 1 }))]
      .map((line) => JSON.stringify(line))
      .join("\n");
    expect(await cogency(["history", "import", "-"], { input })).toEqual({
      code: 0,
      stdout: "imported c · 2 events\n",
      stderr:
        "2 approvals and 1 mark of origin were dropped: they count only where they were given, and what asked then asks again.\n",
    });
    const store = await sqliteStore({ path });
    expect((await store.load({ conversation: "c" })).map(({ type }) => type)).toEqual(["user", "call"]);
    await store.close();

    const { stdout } = await cogency(["run", "--resume", "--conversation", "c", "--deny", "--json", ...calling([])]);
    expect(resultsOf(stdout)).toMatchObject([{ tool: "write", status: "failure" }]);
    expect(existsSync(join(folder, "planted.txt"))).toBe(false);
  });

  it("leaves nothing to import of a conversation that holds nothing else", async () => {
    const { cogency } = place();
    const header = { type: "conversation", version: 1, conversation: "c", events: 1 };
    const input = `${JSON.stringify(header)}\n${JSON.stringify({ ...(await approved("1", write, key)), seq: 1 })}`;
    expect((await cogency(["history", "import", "-"], { input })).stdout).toBe("not imported: c, which is empty\n");
    expect((await cogency(["history", "list", "--json"])).stdout).toBe("");
  });

  it.each([
    ["was given here", key, "(approved: write "],
    [
      "was given with another key",
      "cd".repeat(32),
      "(approved, which cannot be verified here and does not count: write ",
    ],
  ])("is shown by history show: it %s", async (_, secret, shown) => {
    const { cogency, folder, store: path } = place();
    writeKey(folder, key);
    const store = await sqliteStore({ path });
    await store.append({ conversation: "c" }, [...begun, await approved("1", write, secret)]);
    await store.close();
    const { stdout } = await cogency(["history", "show", "c"]);
    expect(stdout).toContain(
      `\n→ write {"file":"planted.txt","content":"x"}\n${shown}{"file":"planted.txt","content":"x"})\n`,
    );
  });
});
