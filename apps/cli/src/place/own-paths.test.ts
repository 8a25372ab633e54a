import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@cogency/protocol";
import { memoryStore } from "@cogency/storage";
import { toolbox } from "@cogency/toolbox";
import { createExecutor, createRegistry, type Tool, toToolResult } from "@cogency/tools";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { withTools } from "../commands/tools/with-tools.ts";
import { undoFiles, undoOf } from "../work/undo/app-undo.ts";
import { madeOwnPaths } from "./own-paths.ts";

let home = "";

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "cogency-own-"));
  onTestFinished(() => {
    rmSync(home, { recursive: true, force: true });
    vi.unstubAllEnvs();
  });
  vi.stubEnv("HOME", home);
  vi.stubEnv("XDG_CONFIG_HOME", "");
  vi.stubEnv("XDG_CACHE_HOME", "");
});

const own = [
  "notes.db",
  "notes.db.undo/copy",
  "notes.db.outputs/kept",
  ".config/cogency/keys",
  ".cache/cogency/compiled/v24.0.0-x64-00000000/main-1A2B3C4D.cjs.code",
];

const write = (tools: readonly Tool[], file: string) => called(tools, "write", { file, content: "forged" });

async function called(tools: readonly Tool[], name: string, args: JsonObject) {
  const executor = createExecutor({ registry: createRegistry(tools), approval: { policy: () => "allow_anyway" } });
  const [execution] = await executor.run([{ name, args }], { conversation: "c" });
  return { id: execution?.call.id ?? "", result: execution && toToolResult(execution) };
}

it("no tool reaches the app's store, copies, configuration or compiled code, whether they exist yet or not", async () => {
  const options = { root: home, access: "project", sandbox: "off", store: join(home, "notes.db") } as const;
  for (const above of ["", ...own.map((path) => join(path, ".."))]) {
    mkdirSync(join(home, above), { recursive: true });
    const results = await withTools(options, false, (tools) => Promise.all(own.map((path) => write(tools, path))));
    for (const { result } of results) expect(result?.content).toMatch(/is out of reach: it belongs to the program/);
  }
  for (const path of own) expect(existsSync(join(home, path))).toBe(false);
  for (const path of [".cache", ".cache/cogency/compiled"]) expect(statSync(join(home, path)).mode & 0o777).toBe(0o700);
});

it.each([":memory:", "other.db"])(
  "no tool reads what belongs to the app while another store is in use: %s",
  async (used) => {
    vi.stubEnv("XDG_DATA_HOME", "");
    vi.stubEnv("COGENCY_STORE", join(home, "environment.db"));
    const files = [
      ".cogency/cogency.db",
      ".cogency/cogency.db-wal",
      ".cogency/cogency.db-live/socket",
      ".cogency/undo/copy",
      ".cogency/undo-0123456789abcdef/copy",
      ".cogency/outputs/kept",
      ".cogency/outputs-0123456789abcdef/kept",
      ".cogency/prompts.jsonl",
      "environment.db",
      "environment.db-live/socket",
      "environment.db.undo/copy",
      "environment.db.outputs/kept",
      "configured.db",
      "configured.db.undo/copy",
      "prompts.jsonl",
      ".cache/cogency/models.json",
      ".config/cogency/trusted.json",
    ];
    for (const file of files) {
      mkdirSync(join(home, file, ".."), { recursive: true });
      writeFileSync(join(home, file), "private");
    }
    writeFileSync(join(home, ".config/cogency/config.json"), JSON.stringify({ store: join(home, "configured.db") }));
    const store = used === ":memory:" ? used : join(home, used);
    const read = (tools: readonly Tool[]) => Promise.all(files.map((file) => called(tools, "read", { file })));
    const results = await withTools({ root: home, access: "project", sandbox: "off", store }, false, read);
    for (const [index, { result }] of results.entries())
      expect(result?.content, files[index]).toMatch(/is out of reach: it belongs to the program/);
  },
);

it("makes no folder where a link of another user could lead", () => {
  for (const path of ["shared", "keys"]) mkdirSync(join(home, path));
  symlinkSync(join(home, "keys"), join(home, "shared", "cogency"));
  chmodSync(join(home, "shared"), 0o1777);
  vi.stubEnv("XDG_CACHE_HOME", join(home, "shared"));
  expect(madeOwnPaths(":memory:")).toContain(join(home, "shared/cogency/compiled"));
  expect(readdirSync(join(home, "keys"))).toEqual([]);
});

it("an undo restores nothing there", async () => {
  const of = { conversation: "c", store: memoryStore(), place: join(home, "notes.db"), access: "project" } as const;
  for (const file of own.filter((path) => !path.includes(".undo"))) {
    const tools = await toolbox({ root: home, access: "project", include: ["write"], undo: undoOf(of.place) });
    const { id } = await write(tools, file);
    await of.store.append({ conversation: "c" }, [
      { type: "user", timestamp: 0, content: `write ${file}` },
      { type: "call", timestamp: 0, content: "{}", id },
    ]);
    expect((await undoFiles(of)).join("\n")).toMatch(/no file was restored\n.*\n.* no tool may change/);
    expect(existsSync(join(home, file))).toBe(true);
  }
});
