import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { jsonLines, place } from "./support/command-line.ts";

it("tools list and describe show what a model is offered, and make no store", async () => {
  const { cogency } = place();
  const [list, described] = await Promise.all([
    cogency(["tools", "list", "--tools", "read,shell"]),
    cogency(["tools", "describe", "read", "--json"]),
  ]);
  expect(list.stdout).toMatch(/^read +reads +Read a text file.*\nshell +changes +.*\n$/);
  expect(jsonLines<object>(described.stdout)).toMatchObject([
    { name: "read", parameters: { required: ["file"] }, annotations: { readOnlyHint: true } },
  ]);
});

it("tools call runs what is typed, and tells a failure by its exit code", async () => {
  const { cogency, folder } = place();
  writeFileSync(join(folder, "a.json"), '{"file":"b.txt","content":"by hand\\n"}');
  const [written, wrong, unknown] = await Promise.all([
    cogency(["tools", "call", "write", "-"], { input: '{"file":"b.txt","content":"by hand\\n"}' }),
    cogency(["tools", "call", "read", '{"fil":"b.txt"}']),
    cogency(["tools", "call", "raed", "{}"]),
  ]);
  expect(written).toMatchObject({ code: 0 });
  expect(wrong).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(/did you mean `file`\?/) });
  expect(unknown).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/There is no tool "raed"\. Did you mean read/),
  });
  const { stdout } = await cogency(["tools", "call", "read", '{"file":"b.txt"}']);
  expect(stdout).toBe("by hand\n");
});
