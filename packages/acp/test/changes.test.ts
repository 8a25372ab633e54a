import { defineTool } from "@cogency/agent";
import type { Json } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { editor, ofKind } from "./support/editor.ts";
import { schemaFaults } from "./support/schema-judge.ts";
import { sessionFaults } from "./support/session-judge.ts";
import { callOf, site } from "./support/site.ts";

interface Change {
  readonly file: string;
  readonly diff: string;
}

/** A tool of this name that reports these changes of files. */
const changing = (name: string, changes: readonly Change[], result: Json | Error = "changed") =>
  defineTool({
    name,
    description: "Changes files.",
    input: { type: "object", properties: { file: { type: "string" }, content: { type: "string" } } },
    execute: (_, { progress }) => {
      for (const change of changes) progress({ ...change });
      if (result instanceof Error) throw result;
      return result;
    },
  });

/** What the editor shows of one call of the tool at its end. */
async function shownBy(tool: ReturnType<typeof changing>, args = {}) {
  const one = site([callOf(tool.name, args), "Done.<end>"], { agent: { tools: [tool] } });
  const here = editor(one.acp);
  await here.prompt(await here.open(), "Change it");
  expect([...schemaFaults(here.sent), ...sessionFaults(here.sent)]).toEqual([]);
  return ofKind(here.updates, "tool_call_update").at(-1)?.content;
}

const diffOf = (file: string) => `--- ${file}\n+++ ${file}\n@@ -1,2 +1,2 @@\n one\n-two\n+zwei\n`;
const said = { type: "content", content: { type: "text", text: "changed" } };
const changeOf = (path: string) => ({ type: "diff", path, oldText: "one\ntwo", newText: "one\nzwei" });

describe("a call that changes files", () => {
  it("shows what it has changed, also if it ends at once", async () => {
    const changes = [{ file: "src/a.txt", diff: diffOf("src/a.txt") }];
    const files = [{ file: "src/a.txt", replacements: 1 }];
    const content = await shownBy(changing("replace", changes, { files, total: 1 }));
    expect(content).toEqual([changeOf("/project/src/a.txt"), expect.anything()]);
  });

  it("shows no change of one file where its result lists more", async () => {
    const changes = ["a.txt", "b.txt"].map((file) => ({ file, diff: diffOf(file) }));
    const files = changes.map(({ file }) => ({ file, replacements: 1 }));
    const content = await shownBy(changing("replace", changes, { files, total: 2 }));
    expect(content).toEqual([{ type: "content", content: { type: "text", text: expect.stringContaining("b.txt") } }]);
  });

  it("shows what it has changed in place of what its arguments announced", async () => {
    const tool = changing("write", [{ file: "a.txt", diff: diffOf("a.txt") }]);
    const content = await shownBy(tool, { file: "a.txt", content: "one\nzwei\n" });
    expect(content).toEqual([changeOf("/project/a.txt"), said]);
  });

  it("shows what its arguments announced, or else the text of the diff, where the diff is not whole", async () => {
    const diff = `${diffOf("a.txt")}… more lines are not shown\n`;
    const written = await shownBy(changing("write", [{ file: "a.txt", diff }]), { file: "a.txt", content: "new" });
    expect(written).toEqual([{ type: "diff", path: "/project/a.txt", oldText: null, newText: "new" }, said]);
    const replaced = await shownBy(changing("replace", [{ file: "a.txt", diff }]));
    expect(replaced).toEqual([{ type: "content", content: { type: "text", text: diff } }, said]);
  });

  it("shows no change if it failed", async () => {
    const content = await shownBy(
      changing("replace", [{ file: "a.txt", diff: diffOf("a.txt") }], new Error("The disk is full.")),
    );
    expect(content).toEqual([{ type: "content", content: { type: "text", text: expect.stringContaining("disk") } }]);
  });
});
