import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStore } from "@cogency/storage";
import { toolbox } from "@cogency/toolbox";
import { createExecutor, createRegistry } from "@cogency/tools";
import { expect, it, onTestFinished } from "vitest";
import { agentWithoutModel } from "../agent-without-model.ts";
import { undoFiles, undoOf } from "./app-undo.ts";
import { forkConversation } from "./fork-conversation.ts";

it("takes back turn after turn, then an undo, and says so in lines that cannot steer a terminal", async () => {
  const root = await mkdtemp(join(tmpdir(), "cogency-cli-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const of = { conversation: "c", store: memoryStore(), place: join(root, "store.db"), access: "project" } as const;
  const tools = await toolbox({ root, access: "project", include: ["write"], undo: undoOf(of.place) });
  const executor = createExecutor({ registry: createRegistry(tools) });
  for (const content of ["one", "two"]) {
    const args = { file: "a\u001b[2J.txt", content, overwrite: true };
    const [execution] = await executor.run([{ name: "write", args }], { conversation: "c" });
    const id = execution?.call.id ?? "";
    const timestamp = 0;
    await of.store.append({ conversation: "c" }, [
      { type: "user", timestamp, content: `write ${content}` },
      { type: "call", timestamp, content: JSON.stringify({ name: "write", args }), id },
    ]);
  }
  const text = () => readFile(join(root, "a\u001b[2J.txt"), "utf8").catch(() => undefined);
  const lines = await undoFiles(of);
  expect(lines.slice(0, 2)).toEqual(['Back to before turn 2, "write two":', "  restored      a\\u001b[2J.txt"]);
  expect(await text()).toBe("one");
  expect(await undoFiles(of)).toContain("  removed       a\\u001b[2J.txt");
  expect(await text()).toBeUndefined();
  await undoFiles(of, /undo_\w+/.exec(lines.at(-1) ?? "")?.[0]);
  expect(await text()).toBe("two");
  await expect(undoFiles(of, "9")).rejects.toThrow('no turn, call or undo "9". Its turns are 1 to 2.');
});

it("restores only what the tools may reach now, and says which option widens that", async () => {
  const root = await mkdtemp(join(tmpdir(), "cogency-cli-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const of = { conversation: "c", store: memoryStore(), place: join(root, "store.db") };
  const project = join(root, "project");
  await mkdir(project);
  const tools = await toolbox({ root: project, access: "system", include: ["write"], undo: undoOf(of.place) });
  const executor = createExecutor({ registry: createRegistry(tools) });
  const files = [join(root, "outside.txt"), join(project, "inside.txt")];
  for (const file of files) {
    const args = { file, content: "agent" };
    const [execution] = await executor.run([{ name: "write", args }], { conversation: "c" });
    await of.store.append({ conversation: "c" }, [
      ...(file === files[0] ? ([{ type: "user", timestamp: 0, content: "write" }] as const) : []),
      { type: "call", timestamp: 0, content: JSON.stringify({ name: "write", args }), id: execution?.call.id ?? "" },
    ]);
  }
  const there = () => files.filter((file) => existsSync(file));
  expect((await undoFiles({ ...of, access: "sandbox" })).join("\n")).toContain("no file was restored");
  expect(there()).toEqual(files);
  const lines = await undoFiles({ ...of, access: "project" });
  expect(lines.join("\n")).toMatch(
    /removed +inside\.txt\nLeft as they are:\n.*outside\.txt is not restored: .*\n.*--access/,
  );
  expect(there()).toEqual(files.slice(0, 1));
  expect((await undoFiles({ ...of, access: "system" }, "1")).join("\n")).toMatch(/removed +.*outside\.txt/);
  expect(there()).toEqual([]);
});

it("takes back what a command did, names the command, and what of it was not kept", async () => {
  const root = await mkdtemp(join(tmpdir(), "cogency-cli-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const project = join(root, "project");
  await mkdir(join(project, "dist"), { recursive: true });
  await writeFile(join(project, ".gitignore"), "dist/\n");
  await writeFile(join(project, "a.txt"), "old");
  const of = { conversation: "c", store: memoryStore(), place: join(root, "store.db"), access: "project" } as const;
  const tools = await toolbox({
    root: project,
    access: "project",
    include: ["shell"],
    undo: undoOf(of.place),
    shell: { sandbox: "off" },
  });
  const executor = createExecutor({ registry: createRegistry(tools), approval: { policy: () => "allow" } });
  const args = { command: "echo new > a.txt; mkdir made; echo b > made/b; echo c > dist/c" };
  const [execution] = await executor.run([{ name: "shell", args }], { conversation: "c" });
  await of.store.append({ conversation: "c" }, [
    { type: "user", timestamp: 0, content: "do it" },
    { type: "call", timestamp: 0, content: JSON.stringify({ name: "shell", args }), id: execution?.call.id ?? "" },
  ]);
  expect((await undoFiles(of)).slice(0, -1)).toEqual([
    'Back to before turn 1, "do it":',
    "  restored      a.txt",
    "  removed       made/b",
    "Changed by commands:",
    `  ${args.command}: a.txt, made, made/b`,
    "Not kept, because git ignores it: dist",
  ]);
  expect(await readFile(join(project, "a.txt"), "utf8")).toBe("old");
  expect(existsSync(join(project, "made"))).toBe(false);
  expect(existsSync(join(project, "dist/c"))).toBe(true);
});

it("in a fork takes back what its own log changed, and leaves what the original changed later", async () => {
  const root = await mkdtemp(join(tmpdir(), "cogency-cli-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const of = { conversation: "c", store: memoryStore(), place: join(root, "store.db"), access: "project" } as const;
  const tools = await toolbox({ root, access: "project", include: ["write"], undo: undoOf(of.place) });
  const executor = createExecutor({ registry: createRegistry(tools) });
  const turn = async (file: string, content: string) => {
    const args = { file, content, overwrite: true };
    const [execution] = await executor.run([{ name: "write", args }], { conversation: "c" });
    await of.store.append({ conversation: "c" }, [
      { type: "user", timestamp: 0, content: `write ${content}` },
      { type: "call", timestamp: 0, content: JSON.stringify({ name: "write", args }), id: execution?.call.id ?? "" },
      { type: "cancelled", timestamp: 0 },
    ]);
  };
  await turn("kept", "one");
  await turn("shared", "one");
  const { length: at } = await of.store.load({ conversation: "c" });
  await turn("shared", "two");
  await turn("later", "two");
  const agent = await agentWithoutModel(of.store);
  const made = await forkConversation("c", { at, as: "fork" }, { agent, ...of });
  expect(made).toEqual({ fork: "fork", problem: undefined });
  const lines = await undoFiles({ ...of, conversation: "fork" }, "1");
  expect(lines.join("\n")).toMatch(/removed +kept\n.*\n +shared was changed since/);
  const text = (name: string) => readFile(join(root, name), "utf8").catch(() => undefined);
  expect(await Promise.all(["kept", "shared", "later"].map(text))).toEqual([undefined, "two", "two"]);
  // Where nothing can be kept, a fork begins all the same.
  await writeFile(join(root, "broken.db.undo"), "");
  const place = join(root, "broken.db");
  expect(await forkConversation("c", { at }, { agent, store: of.store, place })).toMatchObject({
    problem: expect.stringMatching(/cannot be undone in it \(ENOTDIR\)/),
  });
  await expect(forkConversation("c", { as: "fork" }, { agent, ...of })).rejects.toThrow("exists already");
  expect(await undoOf(of.place).entries({ conversation: "fork" })).toHaveLength(3);
  await expect(forkConversation("c", { at: 99, as: "far" }, { agent, ...of })).rejects.toThrow("`at` is 99");
  expect(await undoOf(of.place).entries({ conversation: "far" })).toEqual([]);
});
