import { execFileSync } from "node:child_process";
import { chmod, mkdir, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { grounds } from "../../../test/grounds.ts";
import { openRoot } from "../confine/root.ts";
import { lookAtTree } from "./look-at-tree.ts";
import { settling } from "./seen-tree.ts";

describe("lookAtTree", () => {
  const ground = grounds();
  const at = (path: string) => join(ground.root, path);
  const put = async (path: string, text = "") => {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), text);
  };
  const open = () => openRoot(ground.root, { access: "project" });
  /** Waits until what changed before counts as settled. */
  const settled = async (path: string) => {
    const { ctimeMs } = await stat(at(path));
    while (Date.now() <= ctimeMs + settling + 1) await setTimeout(10);
  };

  it("sees files, links and folders, and follows no link", async () => {
    const { entries, isWhole } = await lookAtTree(await open());
    expect(isWhole).toBe(true);
    expect(entries.get("src")?.kind).toBe("folder");
    expect(entries.get("src/deep/part.ts")).toMatchObject({ kind: "file", size: 23, mode: 0o644 });
    expect(entries.get("link-folder")?.kind).toBe("link");
    expect([...entries.keys()].filter((path) => path.startsWith("link-folder/"))).toEqual([]);
  });

  it.each<[what: string, path: string, as: "entries" | "ignored" | "closed" | "git" | "nowhere"]>([
    ["a file that git ignores", "debug.log", "ignored"],
    ["a file that git ignores but for an exception", "keep.log", "entries"],
    ["a folder that git ignores", "dist", "closed"],
    ["what is in it", "dist/a.js", "nowhere"],
    ["settings in a folder that git ignores", ".vscode/tasks.json", "ignored"],
    ["packages", "node_modules", "closed"],
    ["what is in a repository without a work tree", "bare/HEAD", "nowhere"],
    ["a setting of git", ".git/config", "git"],
    ["a hook of git", ".git/hooks/pre-push", "git"],
    ["another file of git", ".git/HEAD", "nowhere"],
    ["a rule of an inner folder", "inner/own.txt", "ignored"],
  ])("sees %s where it belongs: %s", async (_, path, as) => {
    execFileSync("git", ["init", "-q", "."], { cwd: ground.root });
    execFileSync("git", ["init", "-q", "--bare", "bare"], { cwd: ground.root });
    await put(".gitignore", "*.log\n!keep.log\ndist/\n.vscode\n");
    await put("inner/.gitignore", "own.txt\n");
    const files = [
      "debug.log",
      "keep.log",
      "dist/a.js",
      ".vscode/tasks.json",
      "node_modules/a/index.js",
      "inner/own.txt",
    ];
    for (const file of [...files, ".git/hooks/pre-push"]) await put(file);
    const { entries, ignored, git, closed } = await lookAtTree(await open());
    const found = Object.entries({ entries, ignored, git, closed: new Set(closed) }).filter(([, seen]) =>
      seen.has(path),
    );
    expect(found.map(([name]) => name)).toEqual(as === "nowhere" ? [] : [as]);
  });

  it("leaves out what is guarded", async () => {
    await put("keys/key", "secret");
    const root = await openRoot(ground.root, { access: "project", guarded: [at("keys")] });
    expect([...(await lookAtTree(root)).entries.keys()]).not.toContain("keys");
  });

  it("gives the same maps as long as nothing changes, and is shared by callers of one moment", async () => {
    const root = await open();
    const [one, other] = await Promise.all([lookAtTree(root), lookAtTree(root)]);
    expect(one).toBe(other);
    await settled("src/main.ts");
    const third = await lookAtTree(root);
    expect(third).not.toBe(one);
    expect(third.entries).toBe(one.entries);
  });

  it.each<[what: string, change: () => Promise<unknown>, seen: (paths: readonly string[]) => boolean]>([
    ["comes", () => put("src/new.ts"), (paths) => paths.includes("src/new.ts")],
    ["goes", () => rm(at("src/main.ts")), (paths) => !paths.includes("src/main.ts")],
    ["moves", () => rename(at("src/deep"), at("src/far")), (paths) => paths.includes("src/far/part.ts")],
    ["gets ignored", () => put(".gitignore", "src\n"), (paths) => !paths.includes("src")],
    [
      "is hidden by a link",
      () => rename(at("src"), at("a")).then(() => symlink("a", at("src"))),
      (paths) => !paths.includes("src/main.ts"),
    ],
  ])("sees that something %s, at once and after the times have settled", async (_, change, isSeen) => {
    for (const isSettled of [false, true]) {
      await rm(ground.root, { recursive: true });
      for (const file of ["src/main.ts", "src/deep/part.ts"]) await put(file);
      const root = await open();
      await lookAtTree(root);
      if (isSettled) await settled("src/deep/part.ts");
      await lookAtTree(root);
      await change();
      expect(isSeen([...(await lookAtTree(root)).entries.keys()])).toBe(true);
    }
  });

  it("sees a change of the same size and time, and one of the mode alone", async () => {
    const root = await open();
    const stampOf = async () => (await lookAtTree(root)).entries.get("config.json");
    const before = await stampOf();
    await settled("config.json");
    execFileSync("sh", ["-c", "cp -p config.json c && tr o x < c > config.json && touch -r c config.json"], {
      cwd: ground.root,
    });
    const changed = await stampOf();
    expect(changed).toMatchObject({ size: before?.size, modified: before?.modified });
    expect(changed?.stamp).not.toBe(before?.stamp);
    await settled("config.json");
    await chmod(at("config.json"), 0o600);
    expect(await stampOf()).toMatchObject({ mode: 0o600 });
  });
});
