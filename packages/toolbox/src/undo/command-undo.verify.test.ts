import { execFileSync } from "node:child_process";
import { appendFile, mkdir, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@cogency/protocol";
import { createKeyRing, type Tool } from "@cogency/tools";
import { beforeEach, describe, expect, it } from "vitest";
import { call } from "../../test/call.ts";
import { grounds } from "../../test/grounds.ts";
import { treeOf } from "../../test/undo/deeds.ts";
import { openRoot } from "../files/confine/root.ts";
import { toolbox } from "../toolbox.ts";
import { openUndo, type UndoLimits } from "../undo.ts";
import { folderName } from "./copy-folder.ts";

const key = { conversation: "test" };
const keyRing = createKeyRing(["k".repeat(32)]);

describe("undo of a command", () => {
  const ground = grounds();
  const at = (path: string) => join(ground.root, path);
  const copies = () => join(ground.outside, "..", "copies");
  const open = (limits?: UndoLimits) => openUndo({ folder: copies(), keyRing, limits });

  /** Runs a command by the tool `shell`, as a new process would. */
  async function run(command: string, limits?: UndoLimits) {
    const undo = open(limits);
    const [shell] = await toolbox({
      root: ground.root,
      access: "project",
      include: ["shell"],
      undo,
      shell: { sandbox: "off" },
    });
    await call(shell as Tool, { command } satisfies JsonObject).catch(() => {});
    return undo;
  }

  async function undoAll(limits?: UndoLimits) {
    const undo = open(limits);
    const [first] = await undo.entries(key);
    return undo.undo(key, { from: first?.id ?? "none" });
  }

  /** A command that goes on until it is ended. */
  async function begin(id: string, undo = open()) {
    const root = await openRoot(ground.root, { access: "project" });
    return undo.watch(root, { call: { id, name: "shell", args: {} }, conversation: "test", user: undefined });
  }

  // Pipes are not kept.
  beforeEach(() => rm(at("pipe"), { recursive: true }));

  it.each([
    ["writes into files", "echo more >> config.json && sed -i s/part/p/ src/deep/part.ts"],
    [
      "writes with the same size and time",
      'cp -p config.json c && printf \'{"api": "new.com"}\' > config.json && touch -r c config.json',
    ],
    ["makes files and folders", "mkdir -p new/deep && echo a > new/deep/a && echo b > new/b"],
    ["makes only a folder", "mkdir new"],
    ["deletes everything", "rm -rf ./*"],
    ["moves a folder", "mv src source"],
    ["changes a mode", "chmod 700 src/main.ts src"],
    ["replaces a file by a folder", "rm config.json && mkdir config.json && echo a > config.json/a"],
    ["replaces a folder by a file", "rm -r src && echo a > src"],
    ["replaces a folder by a link to another one", "mv src source && ln -s source src"],
    ["turns a link elsewhere", "ln -sfn ../outside inside-file"],
    ["removes links", "rm inside-file inside-folder link-dangling"],
    ["fails halfway", "echo more >> config.json; exit 1"],
  ])("gives the tree back if the command %s", async (_, command) => {
    const before = await treeOf(ground.root);
    const outside = await treeOf(ground.outside);
    await run(command);
    expect(await treeOf(ground.root)).not.toEqual(before);
    expect((await undoAll()).left).toEqual([]);
    expect(await treeOf(ground.root)).toEqual(before);
    expect(await treeOf(ground.outside)).toEqual(outside);
  });

  it("leaves what a person changed since, and what they put into a folder of the command", async () => {
    await run("mkdir made && echo a > made/a && echo a > one && echo a > two && rm src/main.ts");
    await writeFile(at("one"), "person");
    await writeFile(at("made/own"), "person");
    await writeFile(at("src/main.ts"), "person");
    const { restored, left } = await undoAll();
    expect(restored.map(({ file }) => file).sort()).toEqual(["made/a", "two"]);
    expect(left.map(({ file, message }) => `${file} ${message}`).sort()).toEqual([
      "made is not removed: something is still in it",
      "one was changed since",
      "src/main.ts was changed since",
    ]);
  });

  it("keeps nothing of what git ignores, names it, and never removes what was merely not looked at", async () => {
    await writeFile(at(".gitignore"), "dist/\n*.log\n");
    await mkdir(at("dist"));
    for (const name of ["dist/old.js", "old.log"]) await writeFile(at(name), "old");
    await run("echo new > dist/new.js; echo new > old.log; echo keep > kept; : > .gitignore");
    const [entry] = await open().entries(key);
    expect(entry).toMatchObject({ kind: "command", ignored: ["dist", "old.log"] });
    expect((await undoAll()).restored.map(({ file }) => file).sort()).toEqual([".gitignore", "kept"]);
    expect((await readdir(at("dist"))).sort()).toEqual(["new.js", "old.js"]);
    await run("echo '*' > .gitignore; echo more >> config.json");
    expect((await undoAll()).left).toEqual([]);
    expect((await treeOf(ground.root))["config.json"]).not.toContain("more");
  });

  it("keeps the smallest files within its limits, and names the others", async () => {
    for (const size of [10, 20, 300, 5000]) await writeFile(at(`of-${size}`), "x".repeat(size));
    const limits = { commandFile: 1000, commandTree: 250 };
    await run("for file in of-*; do echo more >> $file; done", limits);
    const { restored, left } = await undoAll(limits);
    expect(restored.map(({ file }) => file)).toEqual(["of-10", "of-20"]);
    expect(left.map(({ file, reason }) => `${reason} ${file}`)).toEqual(["too_large of-300", "too_large of-5000"]);
  });

  it("drops what is older than the tree now when a conversation takes more room than it may", async () => {
    const limits = { commandTree: 4000, commandConversation: 4000 };
    for (const round of [1, 2, 3, 4]) {
      await writeFile(at("a"), `${round}`.repeat(1500));
      await run("echo more >> a", limits);
    }
    const entries = await open().entries(key);
    const last = await open().undo(key, { from: entries.at(-1)?.id ?? "" });
    expect(last.restored).toMatchObject([{ file: "a" }]);
    const packs = await readdir(join(copies(), folderName(key), "packs"));
    expect(packs.length).toBeLessThan(4);
  });

  it("undoes commands that overlap: a file that both may have changed goes back to before the first", async () => {
    const undo = open();
    const one = await begin("call_1", undo);
    await writeFile(at("both"), "one");
    await writeFile(at("first"), "one");
    const two = await begin("call_2", undo);
    await writeFile(at("both"), "two");
    await writeFile(at("second"), "two");
    await two.ended();
    await writeFile(at("first"), "one again");
    await one.ended();
    const entries = await open().entries(key);
    expect(entries.map(({ call, files }) => [call, ...files.map(({ file }) => file)])).toEqual([
      ["call_1", "both", "first", "second"],
      ["call_2", "both", "second"],
    ]);
    const { restored } = await open().undo(key, { from: entries[1]?.id ?? "" });
    expect(restored.map(({ file }) => file).sort()).toEqual(["both", "second"]);
    expect(Object.keys(await treeOf(ground.root))).not.toContain("both");
    expect((await undoAll()).left).toEqual([]);
    expect(Object.keys(await treeOf(ground.root))).not.toContain("first");
  });

  it("undoes a command whose process was killed, also after the next process has gone on", async () => {
    const before = await treeOf(ground.root);
    await begin("call_1");
    await appendFile(at("config.json"), "cut off");
    await rm(at("src"), { recursive: true });
    await run("echo next >> config.json");
    const [cut, next] = await open().entries(key);
    expect([cut, next]).toMatchObject([{ call: "call_1", isComplete: false }, { isComplete: true }]);
    await open().undo(key, { from: next?.id ?? "" });
    expect((await treeOf(ground.root))["config.json"]).toMatch(/cut off"$/);
    await undoAll();
    expect(await treeOf(ground.root)).toEqual(before);
  });

  it("gives back what a process that was killed in a command had changed, though nothing else ran since", async () => {
    const before = await treeOf(ground.root);
    await begin("call_1");
    await appendFile(at("config.json"), "cut off");
    await writeFile(at("made"), "cut off");
    expect((await undoAll()).left).toEqual([]);
    expect(await treeOf(ground.root)).toEqual(before);
  });

  it("never touches git, and restores nothing outside of the root", async () => {
    execFileSync("git", ["init", "-q", "."], { cwd: ground.root });
    await run(
      "echo '[core]' >> .git/config; echo x > .git/hooks/pre-commit; ln -sfn ../outside src2; echo a > src2/made; echo b > c",
    );
    const config = await treeOf(at(".git"));
    const { restored } = await undoAll();
    expect(restored.map(({ file }) => file).sort()).toEqual(["c", "src2"]);
    expect(await treeOf(at(".git"))).toEqual(config);
    expect(Object.keys(await treeOf(ground.outside))).toContain("made");
  });

  it("reads nothing through a link that takes the place of a folder", async () => {
    const undo = open();
    const one = await begin("call_1", undo);
    await rm(at("src"), { recursive: true });
    await symlink(ground.outside, at("src"));
    await one.ended();
    const [entry] = await undo.entries(key);
    expect(JSON.stringify(entry)).not.toContain("secret");
    expect((await undoAll()).left).toEqual([]);
    expect(Object.keys(await treeOf(at("src")))).toContain("main.ts");
  });

  it("keeps copies that only the user can read, and restores none that somebody changed", async () => {
    await run("echo more >> config.json");
    const folder = join(copies(), folderName(key), "packs");
    for (const name of await readdir(folder)) {
      expect((await stat(join(folder, name))).mode & 0o077).toBe(0);
      execFileSync("sed", ["-i", "s/old.com/bad.com/", join(folder, name)]);
    }
    expect((await undoAll()).left).toMatchObject([{ file: "config.json", reason: "damaged" }]);
    expect(await open().forget(key)).toBe(true);
    expect(await readdir(copies())).toEqual([]);
  });

  it("believes no memory of stamps that somebody else wrote", async () => {
    await run("true");
    const folder = join(copies(), folderName(key));
    const memory = (await readdir(folder)).find((name) => name.startsWith("seen-")) ?? "";
    execFileSync("sed", ["-i", 's/"hash":"....../"hash":"000000/g', join(folder, memory)]);
    await run("echo more >> config.json");
    expect((await undoAll()).restored).toMatchObject([{ file: "config.json" }]);
    expect((await treeOf(ground.root))["config.json"]).toContain("old.com");
  });

  it("lets a fork undo the commands of its log", async () => {
    await run("echo more >> config.json");
    const fork = { conversation: "fork" };
    await open().copy(key, fork);
    await open().forget(key);
    const [entry] = await open().entries(fork);
    expect((await open().undo(fork, { from: entry?.id ?? "" })).restored).toMatchObject([{ file: "config.json" }]);
  });

  it("refuses a command if nothing can be kept", async () => {
    await writeFile(copies(), "no folder");
    await expect(begin("call_1")).rejects.toMatchObject({ code: "io_error" });
  });
});
