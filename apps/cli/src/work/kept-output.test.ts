import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStore } from "@cogency/storage";
import { createExecutor, createRegistry, type Tool } from "@cogency/tools";
import { expect, it, onTestFinished } from "vitest";
import { deleteHistory } from "../commands/history/delete.ts";
import { openStore } from "../place/store/open-store.ts";
import { keptOutput } from "./kept-output.ts";
import { openRootFor, openTools } from "./open-tools.ts";
import { carryCopies } from "./undo/carry-copies.ts";

const part = "stdout";

async function folderForTest() {
  const folder = await mkdtemp(join(tmpdir(), "cogency-cli-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function toolsIn(root: string, place: string, options: { maxCommandSeconds?: number } = {}) {
  const wanted = { root, access: "project", sandbox: "off", tools: ["shell", "read_result"], ...options } as const;
  const opened = await openRootFor(wanted, []);
  return openTools(opened, wanted, memoryStore(), { outputs: keptOutput(place, false) });
}

async function called(tools: readonly Tool[], command: string, conversation: string) {
  const executor = createExecutor({ registry: createRegistry(tools), approval: { policy: () => "allow" } });
  const [execution] = await executor.run([{ name: "shell", args: { command } }], { conversation });
  return execution;
}

it("keeps all that a command printed beside the store, for a fork, too, until the conversation is deleted", async () => {
  const folder = await folderForTest();
  const place = join(folder, "store.db");
  const execution = await called(await toolsIn(folder, place), "seq 30000; exit 1", "c");
  expect(execution?.error?.message).toContain(`read_result {"id":"${execution?.id}","part":"stdout"`);
  const store = await openStore(place);
  for (const conversation of ["c", "fork"])
    await store.append({ conversation }, [{ type: "user", content: "count", timestamp: 0 }]);
  expect(await carryCopies("c", "fork", new Set(), place)).toBeUndefined();
  await store.close();
  const id = execution?.id ?? "";
  const read = (conversation: string) => keptOutput(place, false).read({ conversation, id, part });
  expect((await read("c"))?.split("\n")).toHaveLength(30_001);
  await deleteHistory(["c"], { store: place, yes: true });
  expect(await read("c")).toBeUndefined();
  expect((await read("fork"))?.split("\n")).toHaveLength(30_001);
  await deleteHistory(["fork"], { store: place, yes: true });
  expect(await readdir(join(folder, "store.db.outputs"))).toEqual([]);
});

it("keeps no secret where the store keeps none, and no file where it is in memory", async () => {
  const folder = await folderForTest();
  const key = { conversation: "c", id: "call_1", part };
  const secret = `sk-ant-api03-${"a1B2".repeat(24)}`;
  const kept = keptOutput(join(folder, "store.db"), true);
  await kept.keep(key, `KEY=${secret}`);
  const files = await readdir(join(folder, "store.db.outputs"), { recursive: true, withFileTypes: true });
  for (const file of files.filter((one) => one.isFile()))
    expect(await readFile(join(file.parentPath, file.name), "utf8")).not.toContain(secret);
  const inMemory = keptOutput(":memory:", false);
  await inMemory.keep(key, secret);
  expect(await inMemory.read(key)).toBe(secret);
  expect(await readdir(folder)).toEqual(["store.db.outputs"]);
});

it("lets a call of a command ask for half an hour, or for what --max-command-seconds says", async () => {
  const folder = await folderForTest();
  const maximum = async (options = {}) => {
    const [shell] = await toolsIn(folder, ":memory:", options);
    const { properties } = (shell as Tool).spec.parameters as {
      properties: { timeout: { maximum: number; description: string } };
    };
    return [properties.timeout.maximum, properties.timeout.description, shell?.timeout];
  };
  const within = (seconds: number) => expect.closeTo((seconds + 7) * 1000, -4);
  expect(await maximum()).toEqual([1800, expect.stringMatching(/120 when absent, at most 1800$/), within(1800)]);
  expect(await maximum({ maxCommandSeconds: 30 })).toEqual([30, expect.stringMatching(/30 when absent$/), within(30)]);
});
