import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { calling, type Place, place } from "./support/command-line.ts";
import { models, read, recorded } from "./support/compared.ts";

/** Without the times, and without the tokens of requests: the instructions tell of the sandbox, which machines differ in. */
const untimed = (text: string) => text.replace(/\b\d+\.\d\b/g, "0.0").replace(/\b\d{4}\b/g, "9999");

let at: Place;
const ends: (() => unknown)[] = [];

beforeAll(async () => {
  at = await recorded(place((end) => ends.push(end as () => unknown)));
});
afterAll(async () => {
  for (const end of ends) await end();
});

it("compares models with what happened: a table, the calls side by side, and that the bytes of the prefix are the same", async () => {
  const { cogency, store } = at;
  const before = readFileSync(store);
  const args = ["compare", "c", ...models([read("notes.txt"), read("notes.txt")], [read("todo.txt")])];
  const { code, stdout, stderr } = await cogency(args);
  expect(code, stderr).toBe(0);
  expect(untimed(stdout)).toMatchInlineSnapshot(`
    "c from event 3: read my notes
                                                                                                   ended      steps       calls  input  cached  output  cost  seconds  prefix
    recorded                                                                                       completed      3           2   9999       0      35            0.0
    [[{"name":"read","args":{"file":"notes.txt"}}],[{"name":"read","args":{"file":"notes.txt"}}]]  completed      3  2 (2 same)   9999       0      35            0.0  1 message, same bytes
    [[{"name":"read","args":{"file":"todo.txt"}}]]                                                 completed      2  1 (0 same)   9999       0      19            0.0  1 message, same bytes

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

it.each([
  [["compare"], "Name the conversations"],
  [["compare", "c", "--all"], "Name the conversations"],
  [["compare", "c", "--from", "x"], "--from is the number of an event"],
  [["compare", "c", "--from", "message:9"], "1 message of a person"],
  [["compare", "c", "--from", "6"], "Allowed next to it"],
  [["compare", "gone"], "gone"],
  [["compare", "c", "--force"], "--force is for the page"],
  [["compare", "c", "--calls", "run", "--access", "system", "--sandbox", "auto"], "--access system reaches beyond it"],
  [["compare", "c", "--calls", "run", "--sandbox", "off"], "--calls run needs the sandbox"],
  [["compare", "c", "--repeat", "30", ...calling(read("notes.txt"))], "give --yes"],
])("refuses %j with a sentence", async (args, sentence) => {
  expect(await at.cogency(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) });
});
