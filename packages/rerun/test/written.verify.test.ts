import { logOf } from "@tooling/conversations";
import { recordScene } from "@tooling/conversations/record-scene";
import { scenes } from "@tooling/conversations/scenes";
import { beforeAll, describe, expect, it } from "vitest";
import { writeTest } from "../src/index.ts";
import { valueText } from "../src/test/source/value-text.ts";
import { mutations } from "./support/mutations.ts";
import { type Ran, runWritten } from "./support/run-written.ts";

/** All drivers, approvals, questions, attachments, failures and a subagent. */
const names = [
  "one-tool",
  "xml-dialect",
  "native-driver",
  "react-driver",
  "scripted-driver",
  "approval-approved",
  "approval-denied",
  "answered-at-once",
  "tool-asks-a-person",
  "attachments",
  "parallel-tools-one-fails",
  "refused-block",
  "agent-above",
];

let ran: Map<string, Ran>;

beforeAll(async () => {
  const files: Record<string, string> = {};
  for (const name of names) {
    const scene = scenes.find((one) => one.name === name);
    if (!scene) throw new Error(`There is no scene ${name}.`);
    const log = logOf(await recordScene(scene, { recordRequests: true }));
    const { source, data = "" } = await writeTest(log, { dataFile: `${name}.recorded.json` });
    files[`${name}.recorded.json`] = data;
    files[`${name}.test.ts`] = source;
    for (const mutation of mutations) {
      const changed = mutation.apply(withToolsInside(source, data));
      if (changed === undefined || changed === source)
        throw new Error(`${name} has nothing for: ${mutation.name}\n${source}`);
      files[fileOf(name, mutation.name)] = changed;
    }
  }
  ran = await runWritten(files);
});

/** The same test with the definitions of its tools in it, where they stand in the file beside it. */
function withToolsInside(source: string, data: string): string {
  const { tools = [] } = JSON.parse(data) as { tools?: object[] };
  const made = tools.map((tool) => `      record.tool(${valueText(tool, "      ")}),\n`);
  return source.replace("record.tools(recorded.tools)", () => `[\n${made.join("")}    ]`);
}

const fileOf = (name: string, mutation: string) => `${name}.${mutation.replaceAll(" ", "-")}.test.ts`;

describe.each(names)("the test written from %s", (name) => {
  it("passes as it stands", () => {
    expect(ran.get(`${name}.test.ts`)).toMatchObject({ passed: true });
  });

  it.each(mutations)("fails with $name, and says so", ({ name: mutation, names }) => {
    const { passed, messages } = ran.get(fileOf(name, mutation)) ?? {};
    expect(passed).toBe(false);
    expect(messages).toMatch(names);
  });
});
