import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type TestHome, testHome } from "../../../test/support/test-home.ts";
import { keepSaid } from "../../person/approval/ask-trust.ts";
import { openProject } from "../../place/config/open-project.ts";
import { loadProvider } from "./load-provider.ts";

let home = "";
let put: TestHome["put"];

beforeEach(() => {
  ({ home, put } = testHome());
  for (const folder of ["p/.git", "p/.cogency", "p/src", "q"]) mkdirSync(join(home, folder), { recursive: true });
  onTestFinished(() => void vi.restoreAllMocks());
});

const at = (path: string) => join(home, path);
const esm = (name: string) => `export default () => ({ name: "${name}", model: "m", capabilities: {}, stream() {} });`;
describe("a provider that a trusted project names", () => {
  it("is kept with the bytes that were reviewed, and counts as changed by others", async () => {
    put("p/.cogency/provider.mjs", esm("seen"));
    put("p/.cogency/config.json", JSON.stringify({ provider: "./provider.mjs" }));
    await keepSaid(await openProject(at("p")), true);
    const { trust, modules } = await openProject(at("p/src"));
    put("p/.cogency/provider.mjs", esm("swapped"));
    const name = at("p/.cogency/provider.mjs");
    expect(trust).toBe("trusted");
    expect(String(Buffer.from(modules?.get(name)?.code?.bytes ?? []))).toBe(esm("seen"));
    expect(await openProject(at("p"))).toMatchObject({ trust: "changed", modules: undefined });
  });

  it("is looked for in the project of the root, where it was reviewed, and not in that of the current folder", async () => {
    put("p/node_modules/wise/package.json", '{"name": "wise", "main": "x.mjs"}');
    put("p/node_modules/wise/x.mjs", esm("root"));
    put("q/node_modules/wise/package.json", '{"name": "wise", "main": "x.mjs"}');
    put("q/node_modules/wise/x.mjs", esm("current"));
    vi.spyOn(process, "cwd").mockReturnValue(at("q"));
    await keepSaid(await openProject(at("p")), true);
    expect(await loadProvider("wise", {}, { root: at("p") })).toMatchObject({ name: "root" });
  });

  it("is not loaded by its bare name from a project below a trusted folder, which has .git in any form", async () => {
    await keepSaid(await openProject(at("p")), true);
    for (const [folder, git] of [
      ["p/one", () => put("p/one/.git", "gitdir: elsewhere")],
      ["p/two", () => mkdirSync(at("p/two/.git"))],
    ] as const) {
      put(`${folder}/node_modules/wise/package.json`, '{"name": "wise", "main": "x.mjs"}');
      put(`${folder}/node_modules/wise/x.mjs`, "throw new Error('It ran.');");
      git();
      await expect(loadProvider("wise", {}, { root: at(folder) })).rejects.toThrow("this folder is not trusted");
    }
  });

  it("is refused at once where it cannot be read, and never quoted", async () => {
    put("p/secret.txt", "root:x:0:0:secret");
    put("p/package/package.json", "root:x:0:0:secret");
    symlinkSync("/dev/zero", at("p/zero.mjs"));
    for (const [name, problem] of [
      ["/dev/zero", "it is not a regular file"],
      [at("p/zero.mjs"), "it is not a regular file"],
      [at("p/none.mjs"), "was not found"],
      [at("p/package"), "package.json, line 1: this is not JSON"],
    ] as const) {
      const error = await loadProvider(name, {}, { root: at("p") }).catch((error: Error) => error);
      expect(error, name).toMatchObject({ name: "UsageError", message: expect.stringContaining(problem) });
      expect(String(error)).not.toContain("secret:");
    }
  });
});
