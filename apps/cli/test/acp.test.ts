import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { problemsIn } from "./support/acp-messages.ts";
import { calling, place } from "./support/command-line.ts";
import { editorOf, option, saidIn } from "./support/editor.ts";

const write = (file: string) => [{ name: "write", args: { file, content: "x" } }];

describe("cogency acp", () => {
  it("begins a session in the folder of the editor, asks before it writes, and ends with its stdin", async () => {
    const { start, folder, cogency } = place();
    const model = calling(write("a.txt"), write("b.txt"));
    const answers = ["allow_once", "reject_once"];
    const editor = editorOf(start(["acp", ...model], { keepsInput: true }), {
      permission: (request) => option(request, answers.shift() ?? ""),
    });
    const { sessionId, modes, configOptions } = await editor.begin(folder);
    expect(modes?.availableModes.map(({ id }) => id)).not.toContain("yes");
    expect(modes?.currentModeId).toBe("ask");
    expect(configOptions?.map(({ id }) => id)).toEqual(expect.arrayContaining(["model", "driver"]));
    expect(await editor.prompt(sessionId, "go")).toMatchObject({ stopReason: "end_turn" });
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("x");
    expect(existsSync(join(folder, "b.txt"))).toBe(false);
    expect(editor.asked).toHaveLength(2);
    expect(await editor.leave()).toBe(0);
    expect(problemsIn(editor.crossed)).toEqual([]);
    const { stdout } = await cogency(["history", "show", sessionId]);
    expect(stdout).toContain("go");
    expect(saidIn(editor.updates)).not.toBe("");
  });
});
