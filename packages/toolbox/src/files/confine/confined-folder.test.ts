import { readFile, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { contents, grounds } from "../../../test/grounds.ts";
import { replaceFile } from "../write/replace-file.ts";
import { withFolder } from "./confined-folder.ts";
import { openRoot, type Root } from "./root.ts";

describe.each(["descriptor", "path"] as const)("withFolder, anchored by %s", (anchor) => {
  const ground = grounds();
  const open = async (): Promise<Root> => {
    const root = await openRoot(ground.root, { access: "project" });
    // Only Linux can reach files through a descriptor. On other systems both runs are the same.
    return root.anchor === "descriptor" ? { ...root, anchor } : root;
  };
  const inRoot = (name: string) => join(ground.root, name);

  it("reads and writes in a folder", async () => {
    const names = await withFolder(await open(), inRoot("src/deep"), async (folder) => {
      const handle = await folder.openFile("part.ts");
      expect(await handle.readFile("utf8")).toBe("export const part = 1;\n");
      await handle.close();
      return (await folder.entries()).map((entry) => entry.name);
    });
    expect(names).toEqual(["part.ts"]);
  });

  it.each(["link-folder", "link-folder/folder", "inside-folder", "link-up"])(
    "refuses to go through a link, also if %s became one after it was resolved",
    async (name) => {
      await expect(withFolder(await open(), inRoot(name), async () => "entered")).rejects.toMatchObject({
        code: "path_changed",
      });
    },
  );

  it("opens no file through a link", async () => {
    await withFolder(await open(), ground.root, async (folder) => {
      await expect(folder.openFile("link-file")).rejects.toMatchObject({ code: "path_changed" });
      await expect(folder.openFolder("link-folder")).rejects.toMatchObject({ code: "path_changed" });
    });
  });

  it("opens nothing once the folder has been moved out of the root", async () => {
    await withFolder(await open(), inRoot("src"), async (folder) => {
      await rename(inRoot("src"), join(ground.outside, "src"));
      await symlink(join(ground.outside, "src"), inRoot("src"));
      await expect(folder.openFile("main.ts")).rejects.toMatchObject({ code: "path_outside_root" });
      await expect(folder.entries()).rejects.toMatchObject({ code: "path_outside_root" });
    });
  });

  it("reads nothing through a folder that was swapped for a link", async () => {
    await withFolder(await open(), inRoot("src"), async (folder) => {
      await rename(inRoot("src"), inRoot("aside"));
      await symlink(ground.outside, inRoot("src"));
      await expect(folder.openFile("secret.txt")).rejects.toMatchObject({ name: "ToolboxError" });
    });
  });

  it("writes no byte through a folder that was swapped for a link", async () => {
    const root = await open();
    const before = await contents(ground.outside);
    await withFolder(root, inRoot("src"), async (folder) => {
      await rename(inRoot("src"), inRoot("aside"));
      await symlink(ground.outside, inRoot("src"));
      const replacing = replaceFile(folder, "secret.txt", new Uint8Array([1]), new AbortController().signal);
      if (root.anchor === "descriptor") {
        await replacing;
        expect(await readFile(inRoot("aside/secret.txt"))).toHaveLength(1);
        expect(await contents(ground.outside)).toEqual(before);
      } else {
        await expect(replacing).rejects.toMatchObject({ code: "path_outside_root" });
        expect(await contents(ground.outside)).toMatchObject(before);
        expect(Object.values(await contents(ground.outside)).filter((content) => content)).toEqual(["SECRET"]);
      }
    });
  });

  it("creates missing folders with `create`", async () => {
    const path = inRoot("a/b/c");
    await expect(withFolder(await open(), path, async () => "there")).rejects.toMatchObject({ code: "path_changed" });
    expect(await withFolder(await open(), path, async () => "there", { create: true })).toBe("there");
    await writeFile(join(path, "file.txt"), "x");
    expect(await readFile(inRoot("a/b/c/file.txt"), "utf8")).toBe("x");
  });

  it("throws root_not_found when the root is gone or has become a link", async () => {
    const root = await open();
    await rename(ground.root, `${ground.root}-moved`);
    await expect(withFolder(root, ground.root, async () => "there")).rejects.toMatchObject({ code: "root_not_found" });
    await symlink(ground.outside, ground.root);
    await expect(withFolder(root, ground.root, async () => "there")).rejects.toMatchObject({ code: "root_not_found" });
  });
});
