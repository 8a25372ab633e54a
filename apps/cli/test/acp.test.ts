import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { problemsIn } from "./support/acp-messages.ts";
import { calling, models, place } from "./support/command-line.ts";
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

  it("prints nothing but messages on stdout, whatever a module of the person writes to the descriptor", async () => {
    const { start, folder } = place();
    const noisy = join(folder, "noisy.ts");
    const noise = 'import { writeSync } from "node:fs";\nimport { spawnSync } from "node:child_process";\n';
    const child = 'spawnSync("echo", ["from a child"], { stdio: "inherit" });\nconsole.log("a log");\n';
    writeFileSync(
      noisy,
      `${noise}writeSync(1, "to the descriptor\\n");\n${child}export { default } from ${JSON.stringify(models)};\n`,
    );
    const editor = editorOf(start(["acp", "--provider", noisy, "--model", "[]"], { keepsInput: true }));
    const { sessionId } = await editor.begin(folder);
    expect(await editor.prompt(sessionId, "go")).toMatchObject({ stopReason: "end_turn" });
    expect(await editor.leave()).toBe(0);
    expect(problemsIn(editor.crossed)).toEqual([]);
    for (const line of ["to the descriptor", "from a child", "a log"]) expect(editor.stderr).toContain(line);
  });

  it("says in a session which server of the editor does not start", async () => {
    const { start, folder } = place();
    const editor = editorOf(start(["acp", "--provider", "offline"], { keepsInput: true }));
    const dead = { name: "dead", command: "/nonexistent/program", args: [], env: [] };
    const { sessionId } = await editor.begin(folder, [dead]);
    await editor.prompt(sessionId, "read notes.txt");
    if (!saidIn(editor.updates).includes("dead")) await editor.prompt(sessionId, "list .");
    expect(saidIn(editor.updates)).toMatch(/The server dead (is away|failed): /);
    expect(await editor.leave()).toBe(0);
    expect(problemsIn(editor.crossed)).toEqual([]);
  });
});
