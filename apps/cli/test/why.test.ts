import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { calling, place } from "./support/command-line.ts";

it("why says what made the last request and any other, and what broke its beginning, as rows and as JSON", async () => {
  const { folder, cogency } = place();
  await cogency(["read my notes", "--conversation", "c", ...calling([{ name: "read", args: { file: "notes.txt" } }])]);
  const last = await cogency(["why", "read my"]);
  expect(last).toMatchObject({ code: 0, stdout: expect.stringContaining("nothing broke it.") });
  expect(last.stdout).toMatch(/\nuser +[\d,]+ +\d+ +read my notes\n/);
  expect(Math.max(...last.stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  await cogency(["and now?", "--resume", "c", "--system", "Be brief.", ...calling()]);
  const prices = join(folder, "prices.json");
  writeFileSync(prices, '{"scripted-1":{"input":1000,"output":1,"cacheRead":100}}');
  const broken = await cogency(["why", "c", "--prices", prices]);
  expect(broken.stdout).toMatch(/broken by instructions\. The system prompt differs/);
  expect(broken.stdout).toMatch(/\n +was: You are Cogency/);
  const json = JSON.parse((await cogency(["why", "c", "--json"])).stdout);
  expect(json).toMatchObject({ type: "request", prefix: { state: "broken", kind: "instructions" } });
});

it("why says which rule or which kind of tool let a call run, and where the text of its arguments stands", async () => {
  const { cogency } = place();
  const calls = calling([{ name: "write", args: { file: "notes/today.md", content: "x" } }]);
  await cogency(["write notes/today.md", "--conversation", "c", "--allow", "write:notes/**", ...calls]);
  const events = (await cogency(["history", "show", "c", "--json"])).stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const { seq } = events.find(({ type }) => type === "call");
  const { stdout } = await cogency(["why", "c", String(seq)]);
  expect(stdout).toMatch(/\nasked for +\d+: write notes\/today\.md\n/);
  expect(stdout).toMatch(/\ntexts +file: all of it stands first in \d+, the person's words\n/);
  expect(stdout).toMatch(/\nallowed +\d+: by the rule write:notes\/\*\* of --allow or the configuration\n/);
  expect(stdout).toMatch(/\nended +\d+: success\n/);
});

it("why names an event that is neither a request nor about a call, and one that there is not", async () => {
  const { cogency } = place();
  await cogency(["say hi", "--conversation", "c", ...calling([{ name: "read", args: { file: "notes.txt" } }])]);
  const none = await cogency(["why", "c", "999"]);
  expect(none).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(/no event and no call "999"/) });
  expect(await cogency(["why", "c", "1"])).toMatchObject({ code: 2, stderr: expect.stringMatching(/Event 1 is/) });
});
