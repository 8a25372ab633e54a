import { execFileSync } from "node:child_process";
import { link, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { JsonObject } from "@cogency/protocol";
import type { Tool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { call } from "../../../test/call.ts";
import { contents, grounds } from "../../../test/grounds.ts";
import { confinePath } from "../confine/confined-path.ts";
import { openRoot, type Root } from "../confine/root.ts";
import { editTool } from "../edit-tool.ts";
import { findTool } from "../find-tool.ts";
import { listTool } from "../list-tool.ts";
import { readTool } from "../read-tool.ts";
import { replaceTool } from "../replace-tool.ts";
import { writeTool } from "../write-tool.ts";

/** Every argument of a tool that is a path, with other arguments that would have an effect. */
const fileWays: [tool: (root: Root) => Tool, args: (path: string) => JsonObject][] = [
  [readTool, (file) => ({ file })],
  [readTool, (file) => ({ file, from: 1, lines: 1 })],
  [writeTool, (file) => ({ file, content: "mine" })],
  [writeTool, (file) => ({ file, content: "mine", overwrite: true })],
  [editTool, (file) => ({ file, edits: [{ old: "GUARDED", new: "mine" }] })],
];
const folderWays: typeof fileWays = [
  [listTool, (path) => ({ path })],
  [findTool, (path) => ({ path, pattern: "*" })],
  [findTool, (path) => ({ path, content: "GUARDED", ignored: true })],
  [replaceTool, (path) => ({ path, find: "GUARDED", with: "mine", ignored: true })],
];

describe.each([
  ["project", "descriptor"],
  ["project", "path"],
  ["system", "descriptor"],
  ["system", "path"],
] as const)("guarded paths, with %s access, anchored by %s", (access, anchor) => {
  const ground = grounds();
  const at = (path: string) => join(ground.root, path);
  const put = async (path: string, text = "GUARDED") => {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), text);
  };
  const open = async (guarded: string[] = ["data/store.db", "config"]): Promise<Root> => {
    const root = await openRoot(ground.root, { access, guarded: guarded.map(at) });
    return root.anchor === "descriptor" ? { ...root, anchor } : root;
  };
  const setUp = async () => {
    for (const path of ["data/store.db", "data/store.db-wal", "config/keys/key", "config/a.json"]) await put(path);
    await put("data/notes.md", "open");
    return open();
  };
  async function expectRefused(root: Root, path: string, ways = fileWays, code = "out_of_reach"): Promise<void> {
    for (const [make, args] of ways) {
      const tool = make(root);
      const what = `${tool.name} ${path}`;
      await expect(call(tool, args(path)), what).rejects.toMatchObject({ code });
    }
  }

  const spellings = [
    "data/store.db",
    "./data//store.db",
    "src/../data/store.db",
    "data/store.db-wal",
    "data/store.db-shm",
    "data/store.db-journal",
    "data/STORE.DB",
    "Data/store.db",
    "config/a.json",
    "config/keys/key",
    "config/new.json",
    "config/new/folder/a",
    "CONFIG/a.json",
    "config/./keys/../a.json",
    "con\u200cfig/a.json",
    "link-to-file",
    "link-to-folder/a.json",
    "link-to-folder/keys/key",
    "link-to-link/keys/key",
    "link-to-data/store.db",
    "link-to-data/store.db-wal",
    "hard-link",
    "hard-link-below",
    "src/hard-link-wal",
  ];

  it("are neither read nor changed by any spelling, and no person is asked", async () => {
    const root = await setUp();
    await symlink("data/store.db", at("link-to-file"));
    await symlink("config", at("link-to-folder"));
    await symlink("link-to-folder", at("link-to-link"));
    await symlink("data", at("link-to-data"));
    await link(at("data/store.db"), at("hard-link"));
    await link(at("config/keys/key"), at("hard-link-below"));
    await link(at("data/store.db-wal"), at("src/hard-link-wal"));
    const before = await contents(ground.root);
    for (const path of spellings) {
      await expectRefused(root, path);
      await expectRefused(root, at(path), fileWays.slice(0, 1));
      for (const tool of [readTool(root), writeTool(root), editTool(root)]) {
        const asking = (async () => tool.resource?.({ file: path }))();
        await expect(asking, `${tool.name} ${path}`).rejects.toMatchObject({ code: "out_of_reach" });
      }
    }
    expect(await contents(ground.root)).toEqual(before);
  });

  if (access === "system" && process.platform === "linux") {
    it("are not reached through a process", async () => {
      const root = await setUp();
      for (const prefix of [
        "/proc/self/root",
        "//proc/self/root/",
        `/proc/${process.pid}/root`,
        "/dev/fd/../../self/root",
      ]) {
        const code = prefix.startsWith("/dev") ? "not_found" : "permission_denied";
        await expectRefused(root, `${prefix}${at("data/store.db")}`, fileWays.slice(0, 1), code);
      }
    });
  }

  it("are not entered as folders, by any link or spelling", async () => {
    const root = await setUp();
    await symlink("config", at("link-to-folder"));
    for (const path of ["config", "config/keys", "CONFIG", "link-to-folder", "src/../config/."]) {
      await expectRefused(root, path, folderWays);
    }
  });

  it("are not shown by list and find, and not changed by a replace of everything", async () => {
    const root = await setUp();
    await link(at("data/store.db"), at("hard-link"));
    await put("data/store.db-journal");
    const listed = await call(listTool(root), { depth: 4 });
    expect(JSON.stringify(listed)).not.toMatch(/store\.db|config\/|keys|hard-link/);
    expect(listed).toMatchObject({ entries: expect.arrayContaining(["data/", "data/notes.md"]) });
    expect(await call(findTool(root), { pattern: "{store.db*,a.json,key,hard-link}" })).toMatchObject({ files: [] });
    expect(await call(findTool(root), { content: "GUARDED" })).toMatchObject({ matches: [] });
    await expect(call(replaceTool(root), { find: "GUARDED", with: "mine" })).rejects.toMatchObject({
      code: "no_match",
    });
    const missing = await call(readTool(root), { file: "data/store.d" }).catch(String);
    expect(missing).not.toContain("store.db");
  });

  it("are guarded before they exist, and once they do", async () => {
    const root = await open(["later/deep/store.db", "later-config"]);
    for (const path of [
      "later/deep/store.db",
      "later/deep/store.db-wal",
      "LATER/deep/store.db",
      "later-config/key",
      "later-config",
    ]) {
      await expectRefused(root, path, fileWays.slice(2, 4));
    }
    await put("later/deep/store.db");
    await put("later-config/key");
    await link(at("later/deep/store.db"), at("other"));
    for (const path of ["later/deep/store.db", "later-config/key", "other"]) await expectRefused(root, path);
  });

  it("are guarded at the target of a parent, or a link in their place, that appears later", async () => {
    await put("real/store.db");
    const root = await open(["later/store.db", "file.db"]);
    await symlink("real", at("later"));
    await put("elsewhere.db");
    await symlink("elsewhere.db", at("file.db"));
    for (const path of ["real/store.db", "real/store.db-wal", "later/store.db", "elsewhere.db", "elsewhere.db-wal"]) {
      await expectRefused(root, path);
    }
  });

  it("are guarded under their new name after they or their folder were renamed", async () => {
    const root = await setUp();
    await rename(at("data"), at("moved"));
    await rename(at("config"), at("settings"));
    for (const path of ["moved/store.db", "moved/store.db-wal", "settings/a.json", "settings/keys/key"]) {
      await expectRefused(root, path, fileWays.slice(0, 2));
      await expectRefused(root, path, fileWays.slice(3));
    }
    expect(JSON.stringify(await call(listTool(root), { depth: 3 }))).not.toMatch(/store\.db|settings/);
  });

  it("do not block other files, even one that reuses the inode of a removed guarded file", async () => {
    const root = await setUp();
    await rm(at("data/store.db"));
    await rm(at("data/store.db-wal"));
    for (let number = 0; number < 20; number += 1) await put(`src/${number}.txt`, "open");
    for (let number = 0; number < 20; number += 1) {
      expect(await call(readTool(root), { file: `src/${number}.txt` })).toBe("open");
    }
    for (const file of ["data/store.db2", "data/store.d", "config2/a.json", "data/store.db-walx", "data/notes.txt"]) {
      expect(await call(writeTool(root), { file, content: "x" })).toMatchObject({ created: true });
    }
    await link(at("src/1.txt"), at("src/linked.txt"));
    expect(await call(readTool(root), { file: "src/linked.txt" })).toBe("open");
  });

  it("appear in `root.guarded` with real paths and SQLite's side files", async () => {
    await put("real/store.db");
    await symlink("real", at("link"));
    await mkdir(at("folder"));
    const { guarded } = await open(["link/store.db", "folder"]);
    const store = at("real/store.db");
    expect([...guarded].sort()).toEqual([at("folder"), store, `${store}-journal`, `${store}-shm`, `${store}-wal`]);
  });
});

describe("openRoot", () => {
  const ground = grounds();

  it("refuses a guarded path that is not absolute, and a guarded root", async () => {
    const opening = (guarded: string[]) => openRoot(ground.root, { access: "project", guarded });
    await expect(opening(["store.db"])).rejects.toMatchObject({ code: "path_invalid", path: "store.db" });
    await expect(opening([ground.root])).rejects.toMatchObject({ code: "out_of_reach" });
    await expect(opening([join(ground.root, "..")])).rejects.toMatchObject({ code: "out_of_reach" });
  });
});

// Needs a system that lets an unprivileged user mount in a namespace of the test's own.
const mounted = "mount -t proc proc mnt && mount --bind config bound && mount --bind config/keys/key src/file";
const canMount = (() => {
  try {
    execFileSync("unshare", ["--user", "--map-root-user", "--mount", "--pid", "--fork", "true"], { stdio: "ignore" });
    return process.platform === "linux";
  } catch {
    return false;
  }
})();

describe.runIf(canMount)("other mounts", () => {
  const ground = grounds();

  it("lead neither to guarded files nor to the environment of processes", async () => {
    const folders = ["mnt", "bound", "config/keys"];
    for (const folder of folders) await mkdir(join(ground.root, folder), { recursive: true });
    for (const file of ["config/a", "config/keys/key"]) await writeFile(join(ground.root, file), "GUARDED");
    await writeFile(join(ground.root, "src/file"), "");
    const script = `
      import { confinePath } from ${JSON.stringify(join(import.meta.dirname, "../confine/confined-path.ts"))};
      import { openRoot } from ${JSON.stringify(join(import.meta.dirname, "../confine/root.ts"))};
      const root = await openRoot(".", { access: "project", guarded: [process.cwd() + "/config"] });
      const code = (path) => confinePath(root, path).then(({ kind }) => kind, (error) => error.code);
      const paths = ["mnt/self/environ", "mnt/1/environ", "mnt/version", "bound/a", "bound/new", "bound/keys/key", "src/file", "src/main.ts"];
      console.log(JSON.stringify(await Promise.all(paths.map(code))));`;
    await writeFile(join(ground.root, "check.mjs"), script);
    const command = `${mounted} && exec "${process.execPath}" --experimental-transform-types --no-warnings check.mjs`;
    const args = ["--user", "--map-root-user", "--mount", "--pid", "--fork", "sh", "-c", command];
    const codes = JSON.parse(execFileSync("unshare", args, { cwd: ground.root, encoding: "utf8" }));
    expect(codes).toEqual([...Array(3).fill("permission_denied"), ...Array(4).fill("out_of_reach"), "file"]);
    expect(await readFile(join(ground.root, "config/a"), "utf8")).toBe("GUARDED");
    expect((await confinePath(await openRoot(ground.root, { access: "project" }), "config/a")).kind).toBe("file");
  });
});
