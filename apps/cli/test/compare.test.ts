import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { calling, type Place, place } from "./support/command-line.ts";

const read = (file: string) => [{ name: "read", args: { file } }];
const write = (file: string) => [{ name: "write", args: { file, content: "written again" } }];

/** The options of several models, each of which makes its batches of calls. */
const models = (...all: readonly (readonly { name: string; args: object }[])[][]) => [
  ...calling().slice(0, 2),
  ...all.flatMap((batches) => calling(...batches.map((batch) => [...batch])).slice(2)),
];

/** Without the times. */
const untimed = (text: string) => text.replace(/\b\d+\.\d\b/g, "0.0");

async function recorded(names: readonly string[] = ["c"]): Promise<Place> {
  const at = place();
  for (const name of names) {
    await at.cogency(["read my notes", "--conversation", name, ...calling(read("notes.txt"), read("notes.txt"))]);
  }
  return at;
}

it("compares models with what happened: a table, the calls side by side, and that the bytes of the prefix are the same", async () => {
  const { cogency, store } = await recorded();
  const before = readFileSync(store);
  const args = ["compare", "c", ...models([read("notes.txt"), read("notes.txt")], [read("todo.txt")])];
  const { code, stdout, stderr } = await cogency(args);
  expect(code, stderr).toBe(0);
  expect(untimed(stdout)).toMatchInlineSnapshot(`
    "c from event 3: read my notes
                                                                                                   ended      steps       calls  input  cached  output  cost  seconds  prefix
    recorded                                                                                       completed      3           2   8997       0      35            0.0
    [[{"name":"read","args":{"file":"notes.txt"}}],[{"name":"read","args":{"file":"notes.txt"}}]]  completed      3  2 (2 same)   8997       0      35            0.0  1 message, same bytes
    [[{"name":"read","args":{"file":"todo.txt"}}]]                                                 completed      2  1 (0 same)   5979       0      19            0.0  1 message, same bytes

    [[{"name":"read","args":{"file":"notes.txt"}}],[{"name":"re…
      = read {"file":"notes.txt"}
      = read {"file":"notes.txt"}
      That was it.

    [[{"name":"read","args":{"file":"todo.txt"}}]]
      ~ read {"file":"todo.txt"} (recorded: {"file":"notes.txt"})  not recorded
      - read {"file":"notes.txt"}
      That was it.
    "
  `);
  const { conversations, summary } = JSON.parse((await cogency([...args, "--json"])).stdout);
  const [{ variants }] = conversations;
  expect(variants).toMatchObject([
    { prefix: { same: true, record: "agrees", differs: [] }, status: "completed", calls: 2 },
    { prefix: { same: true, record: "agrees", differs: [] }, status: "completed", calls: 1 },
  ]);
  expect(variants[1].differences).toMatchObject([
    { kind: "changed", args: { file: "todo.txt" }, recorded: { args: { file: "notes.txt" } }, answered: false },
    { kind: "missing", args: { file: "notes.txt" } },
  ]);
  expect(summary).toMatchObject([{ name: "recorded", runs: 1, completed: 1 }, { samePrefix: 1 }, { samePrefix: 1 }]);
  expect(readFileSync(store).equals(before)).toBe(true);
});

it("sums up a set of conversations, writes them as a page without scripts, and keeps the forks if it shall", async () => {
  const { cogency, folder } = place();
  const key = `sk-ant-${"a1B2c3".repeat(8)}`;
  const prompts = ["read notes.txt", "list .", `<script>alert(1)</script> & ${key}`];
  for (const prompt of prompts) await cogency([prompt]);
  const args = ["compare", "--all", "--page", "out.html", "--repeat", "2", "--keep"];
  const { code, stdout, stderr } = await cogency(args);
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(
    /^ +completed +steps +calls .*\nrecorded +3\/3 .*\noffline-1 +6\/6 .*\nSums over 3 conversations/,
  );
  const html = readFileSync(join(folder, "out.html"), "utf8");
  expect(statSync(join(folder, "out.html")).mode & 0o777).toBe(0o600);
  expect(html.includes("<script")).toBe(false);
  expect(html.includes(key)).toBe(false);
  expect(html).toContain("&#60;script&#62;alert(1)&#60;/script&#62; &#38;");
  expect(html).toContain("default-src 'none'");
  const list = (await cogency(["history", "list", "--json"])).stdout;
  expect(list.trim().split("\n")).toHaveLength(3 + 6);
  expect(list).toContain("offline-1: list .");
  expect(await cogency(args)).toMatchObject({ code: 2, stderr: expect.stringContaining("--force") });
});

it("really runs tools in a copy of the folder, which is gone afterwards, and writes nothing to the folder itself", async () => {
  const { cogency, folder } = await recorded();
  const outside = mkdtempSync(join(tmpdir(), "cogency-outside-"));
  onTestFinished(() => rmSync(outside, { recursive: true }));
  writeFileSync(join(outside, "far.txt"), "far");
  symlinkSync(join(folder, "notes.txt"), join(folder, "link.txt"));
  symlinkSync(outside, join(folder, "away"));
  const before = [readdirSync(folder), readFileSync(join(folder, "notes.txt"), "utf8")];
  const files = ["notes.txt", "new.txt", "link.txt", "away/far.txt", join(folder, "notes.txt"), "../escaped.txt"];
  const wrote = files.map((file) => write(file));
  const run = ["--calls", "run", "--sandbox", "auto", "--allow", "write", "--json"];
  const { code, stdout, stderr } = await cogency([
    "compare",
    "c",
    ...models([...wrote, read("link.txt"), read("new.txt")]),
    ...run,
  ]);
  expect(code, stderr).toBe(0);
  const [{ variants }] = JSON.parse(stdout).conversations;
  expect(variants[0].uses).toBeUndefined();
  expect([readdirSync(folder), readFileSync(join(folder, "notes.txt"), "utf8")]).toEqual(before);
  expect(readFileSync(join(outside, "far.txt"), "utf8")).toBe("far");
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith("cogency-compare-"))).toEqual([]);
});

it.each([
  [["compare"], "Name the conversations"],
  [["compare", "c", "--all"], "Name the conversations"],
  [["compare", "c", "--from", "x"], "--from is the number of an event"],
  [["compare", "c", "--from", "message:9"], "1 message of a person"],
  [["compare", "c", "--from", "6"], "Allowed next to it"],
  [["compare", "gone"], "gone"],
  [["compare", "c", "--force"], "--force is for the page"],
  [["compare", "c", "--calls", "run", "--access", "system", "--sandbox", "auto"], "--access system reaches beyond it"],
  [["compare", "c", "--calls", "run"], "--calls run needs the sandbox"],
  [["compare", "c", "--repeat", "30", ...calling(read("notes.txt"))], "give --yes"],
])("refuses %j with a sentence", async (args, sentence) => {
  const { cogency } = await recorded();
  expect(await cogency(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) });
});
