import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Json, JsonObject } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { call } from "../../test/call.ts";
import { contents, grounds } from "../../test/grounds.ts";
import { openRoot } from "./confine/root.ts";
import { replaceTool } from "./replace-tool.ts";

describe("replace", () => {
  const ground = grounds();
  const replace = async (args: JsonObject, signal?: AbortSignal, progress?: (update: Json) => void) =>
    call(replaceTool(await openRoot(ground.root, { access: "project" })), args, signal, progress);
  const put = async (name: string, content: string | Uint8Array) => {
    await mkdir(dirname(join(ground.root, name)), { recursive: true });
    await writeFile(join(ground.root, name), content);
  };

  it("changes 200 files at most, and none when there are more", async () => {
    await Promise.all(Array.from({ length: 201 }, (_, index) => put(`many/${index}.txt`, "needle")));
    const before = await contents(ground.root);
    await expect(replace({ find: "needle", with: "x" })).rejects.toMatchObject({ code: "too_many" });
    expect(await contents(ground.root)).toEqual(before);
    const result = await replace({ find: "needle", with: "x", pattern: "[!0]*.txt" });
    expect(result).toMatchObject({ total: 200, unlisted: 100 });
    expect(result).toHaveProperty("files.length", 100);
  });

  it("changes nothing when all texts together exceed the limit", async () => {
    for (let index = 0; index < 40; index++) await writeFile(join(ground.root, `${index}.big`), "a".repeat(2 ** 20));
    const replacing = replace({ find: "a", with: "ü€", pattern: "*.big" });
    await expect(replacing).rejects.toMatchObject({ code: "too_many", message: expect.stringContaining("64 MiB") });
    expect(await readFile(join(ground.root, "0.big"), "utf8")).toBe("a".repeat(2 ** 20));
  });
});
