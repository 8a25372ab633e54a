import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { grounds } from "../../../test/grounds.ts";
import { withFolder } from "../confine/confined-folder.ts";
import { openRoot } from "../confine/root.ts";
import { replaceFile } from "./replace-file.ts";
import { checkUnchanged } from "./staged-file.ts";

describe("replaceFile", () => {
  const ground = grounds();
  const { signal } = new AbortController();
  const replace = async (expected: string) =>
    withFolder(await openRoot(ground.root, { access: "project" }), ground.root, (folder) =>
      replaceFile(folder, "config.json", new TextEncoder().encode("ours"), signal, () =>
        checkUnchanged(folder, "config.json", expected),
      ),
    );

  it("replaces a file that still holds what is expected", async () => {
    await replace('{"api": "old.com"}');
    expect(await readFile(join(ground.root, "config.json"), "utf8")).toBe("ours");
  });

  it.each(["theirs", '{"api": "odd.com"}', "", '{"api": "old.com"}\n'])(
    "does not change a file that holds %j instead",
    async (content) => {
      const before = await readdir(ground.root);
      await writeFile(join(ground.root, "config.json"), content);
      await expect(replace('{"api": "old.com"}')).rejects.toMatchObject({ code: "path_changed", path: "config.json" });
      expect(await readFile(join(ground.root, "config.json"), "utf8")).toBe(content);
      expect(await readdir(ground.root)).toEqual(before);
    },
  );
});
