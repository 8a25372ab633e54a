import { lstat, mkdir, readdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call } from "../../../test/call.ts";
import { grounds } from "../../../test/grounds.ts";
import { findTool } from "../find-tool.ts";
import { listTool } from "../list-tool.ts";
import { readTool } from "../read-tool.ts";
import { writeTool } from "../write-tool.ts";
import { openRoot } from "./root.ts";

describe("openRoot", () => {
  const ground = grounds();

  it("resolves links in the root once, so that changing them later does not move the root", async () => {
    const alias = `${ground.root}-alias`;
    await symlink(ground.root, alias);
    const root = await openRoot(alias, { access: "project" });
    await rename(alias, `${alias}-old`);
    await symlink(ground.outside, alias);
    expect(root).toMatchObject({ path: ground.root, given: alias });
  });

  it.each([
    ["no-such-folder", "root_not_found"],
    ["config.json", "root_not_a_folder"],
    ["config.json/x", "root_not_a_folder"],
    ["link-dangling", "root_not_found"],
    ["pipe", "root_not_a_folder"],
  ])("refuses %s with the code %s", async (name, code) => {
    await expect(openRoot(`${ground.root}/${name}`)).rejects.toMatchObject({ name: "ToolboxError", code });
  });

  it("refuses an unknown access, whatever the other options are", async () => {
    const opening = openRoot("/nowhere", { access: "all" as "system" });
    await expect(opening).rejects.toMatchObject({ name: "ToolboxError", code: "access_invalid", path: "all" });
  });

  describe("with sandbox access", () => {
    const sandbox = () => join(ground.root, ".cogency", "sandbox");

    it("is the default, and creates a folder that git ignores", async () => {
      const root = await openRoot(ground.root);
      expect(root).toMatchObject({ access: "sandbox", path: sandbox(), base: sandbox(), given: sandbox() });
      expect((await lstat(sandbox())).mode & 0o777).toBe(0o700);
      expect((await lstat(join(ground.root, ".cogency"))).mode & 0o777).toBe(0o700);
      expect(await readFile(join(ground.root, ".cogency", ".gitignore"), "utf8")).toBe("*\n");
    });

    it("reuses an existing sandbox folder with its files", async () => {
      await mkdir(sandbox(), { recursive: true });
      await writeFile(join(sandbox(), "kept.txt"), "kept");
      const root = await openRoot(ground.root, { access: "sandbox" });
      expect(await call(readTool(root), { file: "kept.txt" })).toBe("kept");
      expect(await readdir(join(ground.root, ".cogency"))).toEqual(["sandbox"]);
    });

    it("opens many roots of one project at the same time", async () => {
      const roots = await Promise.all(Array.from({ length: 10 }, () => openRoot(ground.root)));
      expect(new Set(roots.map(({ path }) => path))).toEqual(new Set([sandbox()]));
    });

    it("shows nothing of the project around it", async () => {
      const root = await openRoot(ground.root);
      expect(await call(listTool(root), { depth: 8 })).toEqual({ path: ".", entries: [] });
      expect(await call(findTool(root), { pattern: "*" })).toEqual({ files: [] });
      for (const file of ["../../config.json", join(ground.root, "config.json"), "/etc/passwd"]) {
        await expect(call(readTool(root), { file })).rejects.toMatchObject({ code: "path_outside_root" });
      }
      await call(writeTool(root), { file: "config.json", content: "mine" });
      expect(await readFile(join(ground.root, "config.json"), "utf8")).toBe('{"api": "old.com"}');
    });

    it.each([
      [".cogency", "src"],
      [".cogency", "../outside"],
      [".cogency", "none"],
      [".cogency/sandbox", ".."],
      [".cogency/sandbox", "../../outside"],
      [".cogency/sandbox", "none"],
    ])("refuses a link at %s that leads to %s", async (name, target) => {
      if (name !== ".cogency") await mkdir(join(ground.root, ".cogency"));
      await symlink(target, join(ground.root, name));
      await expect(openRoot(ground.root)).rejects.toMatchObject({ code: "sandbox_invalid" });
      expect(await readdir(ground.outside)).toEqual(["folder", "secret.txt"]);
    });

    it("refuses a file in place of the sandbox folder", async () => {
      await writeFile(join(ground.root, ".cogency"), "");
      await expect(openRoot(ground.root)).rejects.toMatchObject({ code: "sandbox_invalid" });
    });
  });

  describe("with system access", () => {
    const open = () => openRoot(ground.root, { access: "system" });

    it("reaches every file; paths begin at the root and are shown relative to it", async () => {
      const root = await open();
      expect(root).toMatchObject({ path: "/", base: ground.root });
      expect(await call(readTool(root), { file: "config.json" })).toContain("old.com");
      expect(await call(readTool(root), { file: "link-file" })).toBe("SECRET");
      expect(await call(readTool(root), { file: "../outside/secret.txt" })).toBe("SECRET");
      expect(await call(listTool(root), { path: "src" })).toMatchObject({ path: "src" });
      expect(await call(listTool(root), { path: "../outside" })).toEqual({
        path: ground.outside,
        entries: ["folder/", "secret.txt"],
      });
      expect(await call(findTool(root), { path: ground.outside, content: "SECRET" })).toEqual({
        matches: [{ file: join(ground.outside, "secret.txt"), line: 1, text: "SECRET" }],
      });
      expect(await call(writeTool(root), { file: `${ground.outside}/new/a.txt`, content: "x" })).toMatchObject({
        file: `${ground.outside}/new/a.txt`,
      });
      expect(await call(listTool(root), { path: "/" })).toMatchObject({ path: "/" });
    });

    it.runIf(process.platform === "linux").each([
      ["/dev/null", "not_a_file"],
      ["/dev/zero", "not_a_file"],
      ["/dev/tty", "not_a_file"],
      ["pipe", "not_a_file"],
      ["/proc/self/environ", "permission_denied"],
      [`/proc/${process.pid}/environ`, "permission_denied"],
      [`/proc/${process.pid}/task/${process.pid}/environ`, "permission_denied"],
      ["/proc/thread-self/environ", "permission_denied"],
      ["/proc/self/mem", "permission_denied"],
      ["link-dangling", "path_outside_root"],
      ["link-loop", "path_outside_root"],
      ["config.json\0", "path_invalid"],
    ])("still refuses %j", async (file, code) => {
      await expect(call(readTool(await open()), { file })).rejects.toMatchObject({ name: "ToolboxError", code });
    });

    it.runIf(process.platform === "linux")("does not search folders of devices or processes", async () => {
      const root = await open();
      expect(await call(listTool(root), { path: "/", depth: 2, pattern: "version" })).not.toMatchObject({
        entries: expect.arrayContaining(["proc/version"]),
      });
      const process = call(findTool(root), { path: "/proc/self", content: "PATH=" });
      await expect(process).rejects.toMatchObject({ code: "permission_denied" });
      const found = await call(findTool(root), { path: "/proc", pattern: "environ", ignored: true });
      expect(found).toMatchObject({ files: [] });
    });
  });
});
