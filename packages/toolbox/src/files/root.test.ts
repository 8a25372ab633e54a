import { rename, symlink } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { grounds } from "../../test/grounds.ts";
import { openRoot } from "./root.ts";

describe("openRoot", () => {
  const ground = grounds();

  it("resolves links in the root once, so that turning them elsewhere later does not move it", async () => {
    const alias = `${ground.root}-alias`;
    await symlink(ground.root, alias);
    const root = await openRoot(alias);
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
});
