import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { workspaceRoot } from "../workspace.ts";
import { ambiguous, mostNames, mostUndocumented } from "./ceilings.ts";
import { ambiguousNames, surfacesOf } from "./surface.ts";

const surfaces = surfacesOf(workspaceRoot);

describe.each(surfaces)("the main entry of $path", ({ path, names, undocumented }) => {
  it("exports no more names than its ceiling", () => {
    expect(names.length).toBeLessThanOrEqual(mostNames[path] ?? Number.POSITIVE_INFINITY);
  });

  it("exports names that stand in the README or in docs", () => {
    const ceiling = mostUndocumented[path] ?? 0;
    expect(undocumented.length > ceiling ? undocumented : []).toEqual([]);
  });
});

describe("the names of all packages", () => {
  it("have one meaning each, but for the exceptions", () => {
    expect(ambiguousNames(surfaces)).toEqual(ambiguous);
  });

  it("belong to packages that exist, where they have a ceiling", () => {
    const paths = surfaces.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining([...Object.keys(mostNames), ...Object.keys(mostUndocumented)]));
  });
});

describe("the check of surfaces", () => {
  let root = "";
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function surfacesWith(files: Record<string, string>) {
    root = mkdtempSync(join(tmpdir(), "surface-"));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return surfacesOf(root);
  }

  const packageOf = (name: string, files: Record<string, string>) =>
    Object.fromEntries(
      Object.entries({ "package.json": `{"name":"@cogency/${name}"}`, ...files }).map(([path, text]) => [
        `packages/${name}/${path}`,
        text,
      ]),
    );

  it("names what no page holds: a part of another word does not count", () => {
    const files = {
      "src/index.ts": 'export { one, type Two } from "./a.ts";\nexport type { three as Three } from "./a.ts";',
      "README.md": "`one` and `TwoOthers`",
      "docs/page.md": "`Three`",
    };
    expect(surfacesWith(packageOf("a", files))).toMatchObject([
      { path: "packages/a", names: ["Three", "Two", "one"], undocumented: ["Two"] },
    ]);
  });

  it("tells two declarations from one that another package exports too", () => {
    const config = 'export default preset({ index: "src/index.ts", host: "src/host.ts" });';
    const low = { "tsup.config.ts": config, "src/index.ts": 'export { same, other } from "./a.ts";' };
    const high = {
      "src/index.ts": 'export { same } from "@cogency/low";\nexport { inner } from "@cogency/low/host";',
      "src/b.ts": "export const other = 1;",
    };
    const lowFiles = packageOf("low", { ...low, "src/host.ts": 'export { hidden as inner } from "./a.ts";' });
    expect(ambiguousNames(surfacesWith({ ...lowFiles, ...packageOf("high", high) }))).toEqual([]);
    const doubled = { ...high, "src/index.ts": `${high["src/index.ts"]}\nexport { other } from "./b.ts";` };
    rmSync(root, { recursive: true });
    expect(ambiguousNames(surfacesWith({ ...lowFiles, ...packageOf("high", doubled) }))).toEqual(["other"]);
  });
});
