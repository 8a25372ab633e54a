import { symlink } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { grounds } from "../../../test/grounds.ts";
import { hostilePaths } from "../../../test/hostile-paths.ts";
import { ToolboxError } from "../../errors.ts";
import { type ConfinedPath, confinePath } from "./confined-path.ts";
import { openRoot } from "./root.ts";

describe("confinePath", () => {
  const ground = grounds();

  it("refuses every path that leaves the root, with a code that says why", async () => {
    const root = await openRoot(ground.root, { access: "project" });
    for (const [path, code] of hostilePaths(ground)) {
      const error = await confinePath(root, path).catch((thrown: unknown) => thrown);
      expect(error, JSON.stringify(path.slice(0, 80))).toBeInstanceOf(ToolboxError);
      expect(error, JSON.stringify(path.slice(0, 80))).toMatchObject({ code, path });
    }
  });

  it("refuses paths outside with the same message whether they exist or not", async () => {
    const root = await openRoot(ground.root, { access: "project" });
    const refusal = (path: string) =>
      confinePath(root, path).catch((error: Error) => error.message.replaceAll(path, "PATH"));
    expect(await refusal("link-folder/secret.txt")).toBe(await refusal("link-folder/no-such-file.txt"));
    expect(await refusal("../outside/secret.txt")).toBe(await refusal("../outside/no-such-file.txt"));
    expect(await refusal("link-file")).toBe(await refusal("link-dangling"));
    expect(await refusal("link-file")).not.toContain(ground.outside);
  });

  const allowed: [path: string, expected: Pick<ConfinedPath, "relative" | "kind">][] = [
    [".", { relative: ".", kind: "folder" }],
    ["./", { relative: ".", kind: "folder" }],
    ["config.json", { relative: "config.json", kind: "file" }],
    ["./config.json", { relative: "config.json", kind: "file" }],
    ["src//main.ts", { relative: "src/main.ts", kind: "file" }],
    ["src/", { relative: "src", kind: "folder" }],
    ["src/../config.json", { relative: "config.json", kind: "file" }],
    ["../root/config.json", { relative: "config.json", kind: "file" }],
    ["inside-file", { relative: "config.json", kind: "file" }],
    ["inside-folder/main.ts", { relative: "src/main.ts", kind: "file" }],
    ["inside-folder/new.ts", { relative: "src/new.ts", kind: "missing" }],
    ["pipe", { relative: "pipe", kind: "other" }],
    ["src/new.ts", { relative: "src/new.ts", kind: "missing" }],
    ["new/folder/file.ts", { relative: "new/folder/file.ts", kind: "missing" }],
    ["..config", { relative: "..config", kind: "missing" }],
    ["...", { relative: "...", kind: "missing" }],
    ["~/.ssh/id_rsa", { relative: "~/.ssh/id_rsa", kind: "missing" }],
    ["file:///etc/passwd", { relative: "file:/etc/passwd", kind: "missing" }],
    ["%2e%2e/%2e%2e/etc/passwd", { relative: "%2e%2e/%2e%2e/etc/passwd", kind: "missing" }],
    ["․․/etc/passwd", { relative: "․․/etc/passwd", kind: "missing" }],
    ["$HOME/`id`", { relative: "$HOME/`id`", kind: "missing" }],
  ];

  it.each(allowed)("resolves %j to a path inside the root", async (path, expected) => {
    const root = await openRoot(ground.root, { access: "project" });
    const confined = await confinePath(root, path);
    expect(confined).toMatchObject({ asked: path, ...expected });
    expect(confined.real).toBe(expected.relative === "." ? ground.root : `${ground.root}/${expected.relative}`);
  });

  it("accepts absolute paths that begin with the real path of the root or with the path that the host gave", async () => {
    const alias = `${ground.root}-alias`;
    await symlink(ground.root, alias);
    const root = await openRoot(alias, { access: "project" });
    for (const path of [`${ground.root}/config.json`, `${alias}/config.json`, `${alias}/src/../config.json`]) {
      expect(await confinePath(root, path)).toMatchObject({ real: `${ground.root}/config.json`, kind: "file" });
    }
    await expect(confinePath(root, `${alias}/../outside/secret.txt`)).rejects.toThrow("outside the root folder");
  });

  it("returns the names at the end of a path that do not exist", async () => {
    const root = await openRoot(ground.root, { access: "project" });
    expect((await confinePath(root, "src/a/b.ts")).missing).toEqual(["a", "b.ts"]);
    expect((await confinePath(root, "src/main.ts")).missing).toEqual([]);
  });

  it("accepts the root of the file system as the root", async () => {
    const root = await openRoot("/", { access: "project" });
    expect(await confinePath(root, `${ground.root}/config.json`)).toMatchObject({ kind: "file" });
    expect(await confinePath(root, "/")).toMatchObject({ relative: ".", kind: "folder" });
  });
});
