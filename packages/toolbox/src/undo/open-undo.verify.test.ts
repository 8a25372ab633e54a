import { execFileSync } from "node:child_process";
import { chmod, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@cogency/protocol";
import { createKeyRing, type Tool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { call } from "../../test/call.ts";
import { contents, grounds } from "../../test/grounds.ts";
import { openRoot } from "../files/confine/root.ts";
import { writeTool } from "../files/write-tool.ts";
import { toolbox } from "../toolbox.ts";
import { openUndo, type Undo, type UndoLimits, type UndoPoint } from "../undo.ts";
import { folderName } from "./copy-folder.ts";
import { hashOf } from "./file-state.ts";

/** The conversation of `call`. */
const key = { conversation: "test" };

describe("openUndo", () => {
  const ground = grounds();
  const copies = () => join(ground.outside, "..", "copies");
  const file = (name: string) => join(ground.root, name);
  const text = (name: string) => readFile(file(name), "utf8").catch(() => undefined);

  /** Makes calls of the tools, one after another, whose copies are kept. */
  async function agent(limits?: UndoLimits) {
    const undo = openUndo({ folder: copies(), limits });
    const tools = await toolbox({ root: ground.root, access: "project", undo, shell: { sandbox: "off" } });
    const named = (name: string) => tools.find((tool) => tool.name === name) as Tool;
    return { undo, make: (name: string, args: JsonObject) => call(named(name), args) };
  }

  async function undoAll(undo: Undo, point: Partial<UndoPoint> = {}) {
    const [first] = await undo.entries(key);
    return undo.undo(key, { from: first?.id ?? "none", ...point });
  }

  it("tells what each file held before and holds now, what is no text, and leaves what another hand has changed", async () => {
    await writeFile(file("data.bin"), Buffer.from([0, 255, 10, 13, 0]));
    await writeFile(file("old.txt"), "one\ntwo\n");
    const { undo, make } = await agent();
    await make("edit", { file: "old.txt", edits: [{ old: "two", new: "2" }] });
    await make("edit", { file: "old.txt", edits: [{ old: "one", new: "1" }] });
    await make("write", { file: "a/new.txt", content: "new\n" });
    await make("write", { file: "data.bin", content: "text", overwrite: true });
    await make("write", { file: "mine.txt", content: "agent\n" });
    await make("shell", { command: "rm inside-folder/main.ts; echo made > made.txt" });
    await writeFile(file("mine.txt"), "mine\n");
    const before = await contents(ground.root);
    const point = { from: (await undo.entries(key))[0]?.id ?? "" };
    const { files, left, commands } = await undo.changes(key, point);
    const told = Object.fromEntries(files.map(({ file, change, diff }) => [file, [change, diff]]));
    expect(told["old.txt"]).toEqual(["changed", "--- old.txt\n+++ old.txt\n@@ -1,2 +1,2 @@\n-one\n-two\n+1\n+2\n"]);
    expect(told["a/new.txt"]).toEqual(["created", "--- /dev/null\n+++ a/new.txt\n@@ -0,0 +1,1 @@\n+new\n"]);
    expect(told["data.bin"]).toEqual(["changed", "data.bin: it is no text\n"]);
    expect(told["made.txt"]?.[0]).toBe("created");
    expect(files.find(({ change }) => change === "deleted")?.diff).toMatch(/^-/m);
    expect(left).toMatchObject([{ file: "mine.txt", reason: "changed" }]);
    expect(commands).toHaveLength(1);
    expect(await contents(ground.root)).toEqual(before);
  });

  it("restores bytes and modes, removes what was created with its folders, and takes that back again", async () => {
    const binary = Buffer.from([0, 255, 10, 13, 0]);
    await writeFile(file("data.bin"), binary);
    await writeFile(file("run.sh"), "\ufeffone\r\n");
    await chmod(file("run.sh"), 0o751);
    const before = await contents(ground.root);
    const { undo, make } = await agent();
    await make("write", { file: "a/b/new.txt", content: "new" });
    await make("write", { file: "a/other.txt", content: "other" });
    await make("write", { file: "data.bin", content: "text", overwrite: true });
    await make("edit", { file: "inside-folder/main.ts", edits: [{ old: "part", new: "p" }] });
    await make("edit", { file: "run.sh", edits: [{ old: "one", new: "two" }] });
    await make("replace", { find: "old.com", with: "new.com" });
    const after = await contents(ground.root);
    const point = { from: (await undo.entries(key))[0]?.id ?? "" };
    expect((await undo.plan(key, point)).restore.map(({ file, action }) => `${action} ${file}`).sort()).toEqual(
      [
        "remove a/b/new.txt",
        "remove a/other.txt",
        ...["config.json", "data.bin", "run.sh", "src/main.ts"].map((name) => `change ${name}`),
      ].sort(),
    );
    const undone = await undo.undo(key, point);
    expect(undone.left).toEqual([]);
    expect(await contents(ground.root)).toEqual(before);
    expect(await readFile(file("data.bin"))).toEqual(binary);
    expect((await stat(file("run.sh"))).mode & 0o777).toBe(0o751);
    const again = (await undo.entries(key)).find(({ call }) => call === undone.id);
    expect((await undo.undo(key, { from: again?.id ?? "" })).restored).toHaveLength(6);
    expect(await contents(ground.root)).toEqual(after);
    expect((await undoAll(undo)).restored).toHaveLength(6);
    expect(await contents(ground.root)).toEqual(before);
  });

  it("leaves what a person changed since, and names it", async () => {
    const { undo, make } = await agent();
    for (const name of ["changed", "deleted", "linked", "folder", "touched", "between"]) {
      await make("write", { file: name, content: "agent" });
    }
    await writeFile(file("changed"), "person");
    await rm(file("deleted"));
    await rm(file("linked"));
    await symlink("touched", file("linked"));
    await rm(file("folder"));
    await mkdir(file("folder"));
    await writeFile(file("touched"), "agent");
    await writeFile(file("between"), "person");
    await make("write", { file: "between", content: "agent again", overwrite: true });
    const { restored, left } = await undoAll(undo);
    expect(restored.map(({ file }) => file)).toEqual(["touched"]);
    expect(left.map(({ file, reason, message }) => `${reason}: ${file} ${message}`)).toEqual([
      "changed: changed was changed since",
      "changed: deleted was deleted since",
      "changed: linked is no file any more",
      "changed: folder is no file any more",
      "changed: between was changed since",
    ]);
    expect(await text("changed")).toBe("person");
    expect(await text("between")).toBe("agent again");
  });

  it("keeps nothing of calls that changed nothing", async () => {
    const { undo, make } = await agent();
    await expect(make("write", { file: "config.json", content: "mine" })).rejects.toMatchObject({ code: "exists" });
    await expect(make("edit", { file: "config.json", edits: [{ old: "none", new: "" }] })).rejects.toThrow();
    await make("replace", { find: "old.com", with: "new.com", dryRun: true });
    expect(await undo.entries(key)).toEqual([]);
  });

  it("lets each conversation undo only what is still as it left it", async () => {
    const { undo, make } = await agent();
    await make("write", { file: "shared", content: "first" });
    await undo.copy(key, { conversation: "fork" }, new Set(["call_1"]));
    await undo.copy(key, { conversation: "earlier fork" }, new Set(["call_0"]));
    expect(await undo.entries({ conversation: "earlier fork" })).toEqual([]);
    const other = openUndo({ folder: copies() });
    const [tool] = await toolbox({ root: ground.root, access: "project", undo: renamed(other), include: ["write"] });
    await call(tool as Tool, { file: "shared", content: "second", overwrite: true });
    expect((await undoAll(undo)).left).toMatchObject([{ file: "shared", reason: "changed" }]);
    const theirs = { conversation: "../../other", user: "Ada" };
    const [entry] = await undo.entries(theirs);
    await undo.undo(theirs, { from: entry?.id ?? "" });
    expect(await text("shared")).toBe("first");
    const [forked] = await undo.entries({ conversation: "fork" });
    await undo.undo({ conversation: "fork" }, { from: forked?.id ?? "" });
    expect(await text("shared")).toBeUndefined();
    expect((await readdir(copies())).every((name) => /^[0-9a-f]{64}$/.test(name))).toBe(true);
  });

  it("undoes a command together with the tools before and after it, and says which call it was", async () => {
    const before = await contents(ground.root);
    const { undo, make } = await agent();
    await make("write", { file: "formatted", content: "agent" });
    await make("shell", { command: "cp config.json formatted" });
    await make("write", { file: "formatted", content: "agent again", overwrite: true });
    await make("shell", { command: "touch made" });
    await make("shell", { command: "true" });
    const entries = await undo.entries(key);
    expect(entries.map(({ kind, files }) => [kind, ...files.map(({ file }) => file)])).toEqual([
      ["change", "formatted"],
      ["command", "formatted"],
      ["change", "formatted"],
      ["command", "made"],
    ]);
    expect((await undo.undo(key, { from: entries[1]?.id ?? "" })).left).toEqual([]);
    expect(await text("formatted")).toBe("agent");
    expect((await undoAll(undo)).left).toEqual([]);
    expect(await contents(ground.root)).toEqual(before);
  });

  it("drops the oldest copies at its limits, and names what it dropped", async () => {
    const { undo, make } = await agent({ conversation: 20, file: 15 });
    for (const name of ["a", "b", "c"]) await writeFile(file(name), `${name}23456789`);
    await writeFile(file("large"), "more than fifteen bytes");
    for (const name of ["a", "b", "c", "large"]) {
      await make("write", { file: name, content: name, overwrite: true });
    }
    const { restored, left } = await undoAll(undo);
    expect(restored.map(({ file }) => file)).toEqual(["b", "c"]);
    expect(left.map(({ file, reason }) => [file, reason])).toEqual([
      ["a", "dropped"],
      ["large", "too_large"],
    ]);
  });

  it("keeps copies that only the user can read, each content once, and restores none that is damaged", async () => {
    const { undo, make } = await agent();
    for (const name of ["a", "b", "c"]) await writeFile(file(name), name === "c" ? "other" : "same");
    for (const name of ["a", "b", "c"]) await make("write", { file: name, content: name, overwrite: true });
    const folder = join(copies(), folderName(key));
    const kept = await readdir(folder);
    expect(kept).toHaveLength(3);
    for (const path of [...kept.map((name) => join(folder, name)), folder, copies()]) {
      expect((await stat(path)).mode & 0o077).toBe(0);
    }
    const hash = kept.find((name) => name.startsWith("0967115f")) ?? "";
    await writeFile(join(folder, hash), "evil");
    await writeFile(join(folder, "journal.jsonl"), '{"kind":"change","id"', { flag: "a" });
    const { left } = await undoAll(undo);
    expect(left.map(({ file, reason }) => [file, reason])).toEqual([
      ["a", "damaged"],
      ["b", "damaged"],
    ]);
    const [first] = await undo.entries(key);
    expect(await undo.plan(key, { from: first?.id ?? "" })).toMatchObject({ unreadable: 1 });
    expect(await undo.forget(key)).toBe(true);
    expect(await readdir(copies())).toEqual([]);
    expect(await undo.forget(key)).toBe(false);
  });

  it("says that the folder is gone, and restores in the folder that it was moved to", async () => {
    const { undo, make } = await agent();
    await make("write", { file: "src/a", content: "agent" });
    const moved = join(ground.root, "..", "moved");
    await rename(ground.root, moved);
    expect((await undoAll(undo)).left).toMatchObject([{ file: "src/a", reason: "root_gone" }]);
    expect(await undoAll(undo, { root: moved })).toMatchObject({
      restored: [{ root: moved, file: "src/a" }],
      left: [],
    });
  });

  it("never changes what git reads, what is guarded, or what a link leads to", async () => {
    const { undo, make } = await agent();
    await make("write", { file: "way/config", content: "agent" });
    await make("write", { file: "keys/key", content: "agent" });
    await make("write", { file: "repo/config", content: "agent" });
    execFileSync("git", ["init", "-q", "--separate-git-dir", "repo2", "."], { cwd: ground.root });
    await rename(file("repo/config"), file("repo2/config"));
    await rm(file("repo"), { recursive: true });
    await rename(file("repo2"), file("repo"));
    await writeFile(file(".git"), "gitdir: repo\n");
    await rename(file("way"), join(ground.outside, "way"));
    await symlink("../outside/way", file("way"));
    const { left, restored } = await undoAll(undo, { guarded: [file("keys")] });
    expect(restored).toEqual([]);
    expect(left.map(({ reason }) => reason)).toEqual(["refused", "refused", "refused"]);
    const messages = left.map(({ message }) => message);
    expect(messages).toContain("is not restored: it lies outside of the folder now, or a link on its path leads out");
    // The advice in errors of tools is for a model.
    expect(messages.join("\n")).not.toMatch(/Use a path|try again/);
    for (const path of [join(ground.outside, "way/config"), file("keys/key"), file("repo/config")]) {
      expect(await readFile(path, "utf8")).toBe("agent");
    }
  });

  it("restores nothing in a folder in whose place, or above it, a link stands", async () => {
    const { undo, make } = await agent();
    await make("write", { file: "a.txt", content: "agent" });
    const other = join(ground.root, "..", "other");
    await mkdir(other);
    await writeFile(join(other, "a.txt"), "agent");
    await rename(ground.root, `${ground.root}-moved`);
    await symlink(other, ground.root);
    const { left, restored } = await undoAll(undo);
    expect(restored).toEqual([]);
    expect(left).toMatchObject([{ file: "a.txt", reason: "root_gone" }]);
    expect(await readFile(join(other, "a.txt"), "utf8")).toBe("agent");
  });

  describe("with a journal that somebody else wrote", () => {
    const journal = (of = key) => join(copies(), folderName(of), "journal.jsonl");
    const linesOf = async (path: string) => (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");

    /** The agent has changed `a.txt`; the journal is what `forge` makes of its lines. */
    async function forged(forge: (lines: string[]) => string[]) {
      await writeFile(file("a.txt"), "old");
      const { undo, make } = await agent();
      await make("write", { file: "a.txt", content: "agent", overwrite: true });
      await writeFile(journal(), `${forge(await linesOf(journal())).join("\n")}\n`);
      return undo;
    }

    it.each<[what: string, forge: (lines: string[]) => string[]]>([
      [
        "has no proofs, as older versions wrote it",
        (lines) => lines.map((line) => JSON.stringify(JSON.parse(line).line)),
      ],
      ["names another file", (lines) => lines.map((line) => line.replace("a.txt", "b.txt"))],
      ["names another folder", (lines) => lines.map((line) => line.replace(/"root":"[^"]*"/, '"root":"/"'))],
      ["has a wider access", (lines) => lines.map((line) => line.replace('"project"', '"system"'))],
      ["has proofs of another ring", (lines) => lines.map((line) => line.replace(/"mac":"..../, '"mac":"0000'))],
    ])("restores nothing if it %s", async (_, forge) => {
      const undo = await forged(forge);
      expect(await undo.entries(key)).toEqual([]);
    });

    it("counts the lines that were added, and undoes the others", async () => {
      const undo = await forged((lines) => {
        const { line } = JSON.parse(lines[0] ?? "");
        const added = { ...line, id: "x", files: [{ ...line.files[0], file: "b.txt" }] };
        return [
          ...lines,
          JSON.stringify(added),
          JSON.stringify({ line: added, proof: JSON.parse(lines[0] ?? "").proof }),
        ];
      });
      const [first, ...others] = await undo.entries(key);
      expect(others).toEqual([]);
      expect(await undo.plan(key, { from: first?.id ?? "" })).toMatchObject({
        restore: [{ file: "a.txt" }],
        unreadable: 2,
      });
    });

    it("does not count the lines of another conversation, except those that `copy` signs anew", async () => {
      const undo = await forged((lines) => lines);
      const [other, fork] = [{ conversation: "other" }, { conversation: "fork" }];
      await mkdir(join(copies(), folderName(other)));
      await writeFile(journal(other), await readFile(journal(), "utf8"));
      expect(await undo.entries(other)).toEqual([]);
      await undo.copy(key, fork);
      expect(await undo.entries(fork)).toHaveLength(1);
    });

    it("is undone by each process that has the ring, and by no other", async () => {
      const keyRing = createKeyRing(["a".repeat(32)]);
      await writeFile(file("a.txt"), "old");
      const root = await openRoot(ground.root, { access: "project" });
      await call(writeTool(root, { undo: openUndo({ folder: copies(), keyRing }) }), {
        file: "a.txt",
        content: "agent",
        overwrite: true,
      });
      const others = [createKeyRing(["b".repeat(32)]), undefined];
      for (const ring of others) expect(await openUndo({ folder: copies(), keyRing: ring }).entries(key)).toEqual([]);
      const rotated = createKeyRing(["b".repeat(32), "a".repeat(32)]);
      expect((await undoAll(openUndo({ folder: copies(), keyRing: rotated }))).restored).toHaveLength(1);
    });
  });

  it("restores no file that only a wider access than the one now reaches", async () => {
    const undo = openUndo({ folder: copies() });
    const root = await openRoot(ground.root, { access: "system" });
    const outer = join(ground.outside, "secret.txt");
    for (const path of [outer, file("a.txt")]) {
      await call(writeTool(root, { undo }), { file: path, content: "agent", overwrite: true });
    }
    const { restored, left } = await undoAll(undo, { access: "project" });
    expect(restored).toMatchObject([{ file: "a.txt" }]);
    expect(left).toMatchObject([{ reason: "refused" }]);
    expect(await readFile(outer, "utf8")).toBe("agent");
    expect((await undoAll(undo)).restored).toMatchObject([{ file: outer }]);
    expect(await text("a.txt")).toBeUndefined();
  });

  it("restores nothing of a project if the access now is that of its sandbox, and what was changed in the sandbox", async () => {
    const undo = openUndo({ folder: copies() });
    for (const access of ["project", "sandbox"] as const) {
      const root = await openRoot(ground.root, { access });
      await call(writeTool(root, { undo }), { file: "a.txt", content: access });
    }
    const { restored, left } = await undoAll(undo, { access: "sandbox" });
    expect(restored).toMatchObject([{ file: "a.txt", root: expect.stringMatching(/sandbox$/) }]);
    expect(left).toMatchObject([{ file: "a.txt", root: ground.root, reason: "refused" }]);
    expect(await text("a.txt")).toBe("project");
  });

  it("fails a call whose old content cannot be kept, and changes nothing", async () => {
    await writeFile(copies(), "no folder");
    const { make } = await agent();
    const failing = make("edit", { file: "config.json", edits: [{ old: "old", new: "new" }] });
    await expect(failing).rejects.toMatchObject({
      code: "io_error",
      message: expect.stringContaining("cannot be kept"),
    });
    expect(await text("config.json")).toContain("old.com");
  });

  it("fails an undo if what the files hold now cannot be kept, and changes nothing", async () => {
    const { undo, make } = await agent();
    await make("write", { file: "new.txt", content: "new" });
    await mkdir(join(copies(), folderName(key), hashOf(Buffer.from("new"))));
    await expect(undoAll(undo)).rejects.toMatchObject({ code: "io_error" });
    expect(await text("new.txt")).toBe("new");
  });
});

/** Keeps for another conversation and user. */
function renamed(undo: Undo): Undo {
  const theirs = { conversation: "../../other", user: "Ada" };
  return { ...undo, keep: (root, { call }, files) => undo.keep(root, { call, ...theirs }, files) };
}
