import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { calling, place } from "./support/command-line.ts";

it("trace writes one page that only its owner can read, with the requests as they were sent, overwrites nothing unasked, and without a file draws the steps and calls", async () => {
  const { folder, cogency } = place();
  await cogency(["read my notes", "--conversation", "c", ...calling([{ name: "read", args: { file: "notes.txt" } }])]);
  const args = ["trace", "read my", "--html", "out.html"];
  expect(await cogency(args)).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("out.html") });
  const file = join(folder, "out.html");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const [, json = ""] = /id="source">(.*)<\/script>/.exec(readFileSync(file, "utf8")) ?? [];
  const { events } = JSON.parse(json) as { events: { type: string; kind?: string }[] };
  expect(events.filter(({ kind }) => kind === "request")).toHaveLength(2);
  expect(await cogency(args)).toMatchObject({ code: 2, stderr: expect.stringContaining("--force") });
  expect(await cogency(["trace", "read my"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^2 steps · 1 call · .*\n\nRun 1, .*\n1 .*▓.*\n {2}read +.*█/),
    stderr: expect.stringContaining("--html"),
  });
});
