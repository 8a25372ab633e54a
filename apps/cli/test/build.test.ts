import { expect, it } from "vitest";
import { filesOf } from "../build/bundle.ts";

const shared = ["shared-AAAAAAAA.cjs", 'export const shared = "shared";'] as const;

it.each(["once", "evaluated", "moduleUrl", "chunkOf", "file0", "module_", "made"])(
  "lets a source have a name of its own that the build might use: %s",
  async (name) => {
    const start = `import { shared } from "./shared-AAAAAAAA.cjs";
function ${name}(text) { return text + ", and its own"; }
globalThis.said(${name}(shared));`;
    const files = await filesOf([["start.cjs", start], shared], ["start"]);
    const said: string[] = [];
    const run = new Function("exports", "require", "globalThis", files["start.cjs"] ?? "");
    run({}, undefined, { said: (text: string) => said.push(text) });
    expect(said).toEqual(["shared, and its own"]);
  },
);

it("refuses a source with a name that is the build's own", async () => {
  await expect(filesOf([["start.cjs", "export const $once = 1;"]], ["start"])).rejects.toThrow(/\$once/);
});

it("evaluates a file when something of it is first used, and loads it before", async () => {
  const files = await filesOf(
    [
      ["start.cjs", 'globalThis.more = () => import("./more-AAAAAAAA.cjs");'],
      ["more-AAAAAAAA.cjs", 'import { own } from "./library-AAAAAAAA.cjs";\nexport const more = () => own;'],
      ["library-AAAAAAAA.cjs", 'globalThis.said("evaluated");\nexport const own = 1;'],
    ],
    ["start"],
  );
  const said: string[] = [];
  const known: { said: (text: string) => void; more?: () => Promise<{ more: () => number }> } = {
    said: (text) => said.push(text),
  };
  const load = (path: string) => {
    said.push(path);
    const exports = {};
    new Function("exports", "require", "globalThis", files[path.slice(2)] ?? "")(exports, load, known);
    return exports;
  };
  load("./start.cjs");
  const loaded = await known.more?.();
  expect(said).toEqual(["./start.cjs", "./more-AAAAAAAA.cjs", "./library-AAAAAAAA.cjs"]);
  expect([loaded?.more(), said.at(-1)]).toEqual([1, "evaluated"]);
});

it("puts what a part of a command needs into the file of the part, unless a command has it", async () => {
  const chunk = (name: string, ...imports: string[]) => {
    const lines = imports.map((one, at) => `import { own as own${at} } from "./${one}-AAAAAAAA.cjs";`);
    return [
      `${name}-AAAAAAAA.cjs`,
      [...lines, `export const own = [${imports.map((_, at) => `own${at}`)}];`].join("\n"),
    ] as const;
  };
  const chunks = [chunk("part", "shared", "its"), chunk("its"), chunk("shared"), chunk("alone", "its")];
  const start = ["start.cjs", 'import { own } from "./shared-AAAAAAAA.cjs"; globalThis.own = own;'] as const;
  const files = await filesOf([start, ...chunks], ["start"], ["part"]);
  expect(Object.keys(files).toSorted()).toEqual([
    "alone-AAAAAAAA.cjs",
    expect.stringMatching(/^part-[\dA-F]{8}\.cjs$/),
    "start.cjs",
  ]);
});
