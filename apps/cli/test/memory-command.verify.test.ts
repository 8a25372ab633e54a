import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Memory } from "@cogency/memory";
import { sqliteStore } from "@cogency/storage-sqlite";
import { describe, expect, it } from "vitest";
import { fixtures, jsonLines, type Place, place } from "./support/command-line.ts";

const model = ["--provider", join(fixtures, "remembering.ts")];

async function memoriesOf({ cogency }: Place): Promise<Memory[]> {
  return jsonLines<Memory>((await cogency(["memory", "show", "--json"])).stdout);
}

/** An editor that leaves this text. */
function editorOf(folder: string, change: string): string {
  const file = join(folder, "editor.sh");
  writeFileSync(file, `#!/bin/sh\n${change}\n`);
  chmodSync(file, 0o700);
  return file;
}

describe("cogency memory", () => {
  it("shows what is remembered as a table and as JSON lines, and nothing before there is anything", async () => {
    const { cogency } = place();
    expect((await cogency(["memory", "show"])).stderr).toContain("Nothing is remembered of you.");
    await cogency(["memory", "remember", "Use", "tabs.", "--about", "rule"]);
    const { stdout } = await cogency(["memory", "show"]);
    expect(stdout).toMatch(/^id +said +about +words +from\n[a-z0-9]{6} .* rule +Use tabs\. +typed by you\n$/);
    const { stdout: json } = await cogency(["memory", "show", "--json"]);
    expect(jsonLines(json)).toMatchObject([{ about: "rule", words: "Use tabs." }]);
  });

  it("keeps no secret, nothing twice, and nothing too long", async () => {
    const { cogency } = place();
    for (const [words, why] of [
      ["password: hunter2hunter2", "a secret"],
      ["my password is hunter2hunter2", "a secret"],
      ["my pass\u200bword is hunter2hunter2", "a secret"],
      ["x".repeat(241), "at most 240 characters"],
    ] as const) {
      const { code, stderr } = await cogency(["memory", "remember", words]);
      expect(code).toBe(2);
      expect(stderr).toContain(why);
      expect(stderr).not.toContain("hunter2");
    }
    await cogency(["memory", "remember", "Use tabs."]);
    expect((await cogency(["memory", "remember", "Use tabs."])).stderr).toContain("holds these words already");
  });

  it("forgets by id or all, says where the words still stand, and asks at a terminal alone", async () => {
    const own = place();
    const { cogency } = own;
    for (const words of ["One.", "Two.", "Three."]) await cogency(["memory", "remember", words]);
    const [first] = await memoriesOf(own);
    expect(await cogency(["memory", "forget", `${first?.id}`])).toMatchObject({ code: 2 });
    expect(await cogency(["memory", "forget", "--yes"])).toMatchObject({ code: 2 });
    const unknown = await cogency(["memory", "forget", "zzzzzz", "--yes"]);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("zzzzzz") });
    const { stderr } = await cogency(["memory", "forget", `${first?.id}`, "--yes"]);
    expect(stderr.replaceAll(/\s+/g, " ")).toContain("1 memory forgotten");
    expect(stderr.replaceAll(/\s+/g, " ")).toContain("cogency history delete");
    expect((await memoriesOf(own)).map(({ words }) => words)).toEqual(["Two.", "Three."]);
    await cogency(["memory", "forget", "--all", "--yes"]);
    expect(await memoriesOf(own)).toEqual([]);
  });

  it("lets the person edit it in lines, and refuses a wrong line with its number", async () => {
    const own = place();
    const { cogency, folder } = own;
    for (const words of ["One.", "Two."]) await cogency(["memory", "remember", words]);
    const edit = (change: string) => cogency(["memory", "edit"], { env: { EDITOR: editorOf(folder, change) } });
    for (const [line, why] of [
      ["new opinion Nice.", "Line 6: opinion is none of these"],
      ["zzzzzz rule Nice.", "Line 6: there is no memory zzzzzz"],
      ["new rule", "Line 6: write an id or new"],
      ["new rule password: hunter2hunter2", "Line 6: The words hold what looks like a secret"],
    ] as const) {
      const { code, stderr } = await edit(`echo '${line}' >> "$1"`);
      expect(code).toBe(2);
      expect(stderr.replaceAll(/\s+/g, " ")).toContain(why);
    }
    expect((await edit("exit 0")).stderr).toContain("Nothing was changed.");
    await edit(`sed -i -e 's/One/Uno/' -e '/Two/d' "$1"; echo 'new project It is in Rust.' >> "$1"`);
    const left = await memoriesOf(own);
    expect(left.map(({ words, about }) => [words, about])).toEqual([
      ["Uno.", "preference"],
      ["It is in Rust.", "project"],
    ]);
    expect(left[1]?.scope).toContain("cogency-cli-");
  });

  it("is as before after an editor that fails, that removes the file, or that leaves it empty; no copy stays", async () => {
    const own = place();
    const { cogency, folder } = own;
    await cogency(["memory", "remember", "One."]);
    const TMPDIR = join(folder, "tmp");
    mkdirSync(TMPDIR);
    const edit = (EDITOR: string) => cogency(["memory", "edit"], { env: { EDITOR, TMPDIR } });
    const modes = editorOf(folder, `stat -c %a "$1" "$(dirname "$1")" > ${folder}/modes; echo >> "$1"; exit 3`);
    expect(await edit(modes)).toMatchObject({ code: 2, stderr: expect.stringContaining("The editor failed") });
    expect(readFileSync(join(folder, "modes"), "utf8")).toBe("600\n700\n");
    expect(await edit("no-such-editor")).toMatchObject({ code: 2 });
    expect(await edit(editorOf(folder, 'rm "$1"'))).toMatchObject({ code: 2 });
    expect((await edit(editorOf(folder, ': > "$1"'))).stderr).toContain("The file was left empty");
    expect((await memoriesOf(own)).map(({ words }) => words)).toEqual(["One."]);
    expect(readdirSync(TMPDIR)).toEqual([]);
  });

  it("shows words of others' making escaped, and keeps nothing that a screen does not show", async () => {
    const own = place();
    const { cogency, folder } = own;
    await cogency(["memory", "remember", "Be\u202e ki\u200bnd.\u001b[31m"]);
    expect((await memoriesOf(own)).map(({ words }) => words)).toEqual(["Be kind. [31m"]);
    const line = 'echo "new rule Say <b>please</b>\u202e." >> "$1"';
    await cogency(["memory", "edit"], { env: { EDITOR: editorOf(folder, line) } });
    expect((await memoriesOf(own)).at(-1)?.words).toBe("Say <b>please</b>.");
    expect((await cogency(["memory", "show"])).stdout).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
  });

  it("says of a profile that it cannot read what to do, and a run goes on without it", async () => {
    const { cogency, store: path } = place();
    await cogency(["memory", "remember", "One."]);
    const store = await sqliteStore({ path });
    await store.saveProfile(undefined, { schema: 2, memories: [] });
    await store.close();
    const shown = await cogency(["memory", "show"]);
    expect(shown.code).not.toBe(0);
    expect(shown.stderr.replaceAll(/\s+/g, " ")).toContain("A newer version wrote the profile");
    const run = await cogency(["run", "go", "--memory", "on", ...model]);
    expect(run).toMatchObject({ code: 0, stdout: "I know: nothing\n" });
    expect(await cogency(["memory", "forget", "--all", "--yes"])).toMatchObject({ code: 0 });
    expect(await cogency(["memory", "show", "--json"])).toMatchObject({ code: 0, stdout: "" });
  });

  it("is turned on and off in the person's configuration", async () => {
    const { cogency } = place();
    await cogency(["memory", "on"]);
    expect((await cogency(["config", "get", "memory"])).stdout).toBe("on\n");
    await cogency(["memory", "off"]);
    expect((await cogency(["config", "get", "memory"])).stdout).toBe("off\n");
  });
});

describe("a run", () => {
  it("is told what is remembered where memory is on, and from the next run on nothing that was forgotten", async () => {
    const { cogency } = place();
    await cogency(["memory", "remember", "Use tabs."]);
    expect((await cogency(["run", "go", ...model])).stdout).toBe("I know: nothing\n");
    await cogency(["memory", "on"]);
    expect((await cogency(["run", "go", ...model])).stdout).toContain('"Use tabs."');
    await cogency(["memory", "forget", "--all", "--yes"]);
    expect((await cogency(["run", "go", ...model])).stdout).toBe("I know: nothing\n");
  });
});
