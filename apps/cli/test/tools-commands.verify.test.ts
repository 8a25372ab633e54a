import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { jsonLines, place } from "./support/command-line.ts";

it("tools list and describe show what a model is offered, and make no store", async () => {
  const { cogency, store } = place();
  const [list, described] = await Promise.all([
    cogency(["tools", "list", "--tools", "read,shell"]),
    cogency(["tools", "describe", "read", "--json"]),
  ]);
  expect(list.stdout).toMatch(/^read +reads +Read a text file.*\nshell +changes +.*\n$/);
  expect(jsonLines<object>(described.stdout)).toMatchObject([
    { name: "read", parameters: { required: ["file"] }, annotations: { readOnlyHint: true } },
  ]);
  expect(existsSync(store)).toBe(false);
});

it("tools call runs what is typed; what fails says ✗ and why, and ends with 1; what cannot be read ends with 2", async () => {
  const { cogency } = place();
  const call = (...args: string[]) => cogency(["tools", "call", ...args]);
  const [written, wrong, refused, failed, json, slow, ...unread] = await Promise.all([
    cogency(["tools", "call", "write", "-"], { input: '{"file":"b.txt","content":"by hand\\n"}' }),
    call("read", '{"fil":"b.txt"}'),
    call("write", '{"file":"../b.txt","content":""}'),
    call("shell", '{"command":"ls nowhere"}', "--sandbox", "off"),
    call("shell", '{"command":"false"}', "--sandbox", "off", "--json"),
    call("shell", '{"command":"sleep 9","timeout":0.2}', "--sandbox", "off"),
    call("raed", "{}"),
    call("read", '{"file"'),
    call("read", "[1]"),
  ]);
  expect(written).toMatchObject({ code: 0 });
  const failure = (why: RegExp) => ({ code: 1, stdout: "", stderr: expect.stringMatching(why) });
  expect(wrong).toEqual(failure(/^✗ read .*did you mean `file`\?\n$/));
  expect(refused).toEqual(failure(/^✗ write .*is outside the root folder/));
  expect(failed).toEqual(failure(/^ls: .*nowhere.*\n✗ shell exit code 2, ls: .*nowhere.*\n$/));
  expect(slow).toEqual(failure(/^✗ shell .*was ended after 0\.2 s, its limit/));
  expect([json.code, json.stderr, ...jsonLines<object>(json.stdout)]).toEqual([
    1,
    "",
    { tool: "shell", status: "failure", content: expect.stringMatching(/^exit code 1/) },
  ]);
  const [unknown, noJson, noObject] = unread.map(({ code, stdout, stderr }) => `${code} ${stdout}${stderr}`);
  expect(unknown).toMatch(/^2 error: There is no tool "raed"\. Did you mean read/);
  expect(noJson).toMatch(/^2 error: The arguments are no JSON: .* Write a JSON object, such as/);
  expect(noObject).toMatch(/^2 error: The arguments are no JSON object\. Write/);
  expect(await call("read", '{"file":"b.txt"}')).toEqual({ code: 0, stdout: "by hand\n", stderr: "" });
});
