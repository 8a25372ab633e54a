import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";

/** In a process of its own: here, vitest imports in its own way. */
function imported(file: string, read: string, onDisk: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "cogency-import-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "word.mjs"), 'export const word = "!";');
  writeFileSync(join(folder, "word.cjs"), 'exports.word = "!";');
  writeFileSync(join(folder, file), onDisk);
  const script = `
    import { importModule } from ${JSON.stringify(join(import.meta.dirname, "import-module.ts"))};
    import { attempt } from ${JSON.stringify(join(import.meta.dirname, "../../place/modules/module-file.ts"))};
    const code = { real: ${JSON.stringify(join(folder, file))}, bytes: Buffer.from(${JSON.stringify(read)}) };
    const module = await attempt("It cannot be loaded", () => importModule(code)).catch((error) => error);
    console.log(module.message ?? (module.default?.default ?? module.default)());`;
  return execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" }).trim();
}

describe("a module that was read", () => {
  it.each([
    ["x.mjs", (name: string) => `import { word } from "./word.mjs";\nexport default () => "${name}" + word;`],
    ["x.cjs", (name: string) => `const { word } = require("./word.cjs");\nmodule.exports = () => "${name}" + word;`],
    ["x.mts", (name: string) => `const name: string = "${name}!";\nexport default () => name;`],
    ["x.cts", (name: string) => `const name: string = "${name}!";\nmodule.exports = () => name;`],
  ])("runs as it was read, whatever stands there by then: %s", (file, text) => {
    expect(imported(file, text("read"), text("swapped"))).toBe("read!");
  });

  it("may be TypeScript, but for what Node cannot leave out", () => {
    const said = imported("x.mts", "enum Secret { word }\nexport default () => Secret.word;", "");
    expect(said).toBe(
      "It cannot be loaded: it has TypeScript that Node does not run, such as an enum. Leave that out, or build the package.",
    );
  });

  it("runs with the files that it imports as they were read, and with no other file beside it", () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "cogency-imports-")));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const at = (name: string) => join(folder, name);
    writeFileSync(at("x.mjs"), 'import { word } from "./word.mjs";\nexport default () => word;');
    writeFileSync(at("y.mjs"), 'const name = "./word" + ".mjs";\nexport default (await import(name)).word;');
    writeFileSync(at("word.mjs"), 'export const word = "read";');
    const script = `
      import { writeFileSync } from "node:fs";
      import { importModule } from ${JSON.stringify(join(import.meta.dirname, "import-module.ts"))};
      import { readModule } from ${JSON.stringify(join(import.meta.dirname, "../../place/modules/module-file.ts"))};
      const [x, y] = ["x.mjs", "y.mjs"].map((name) => readModule(${JSON.stringify(folder)} + "/" + name));
      writeFileSync(${JSON.stringify(at("word.mjs"))}, 'export const word = "swapped";');
      const module = await importModule(x.code, { imports: x.imports, onlyRead: true });
      const other = await importModule(y.code, { imports: y.imports, onlyRead: true }).catch((error) => error);
      console.log(module.default(), other.message);`;
    const said = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" }).trim();
    expect(said).toMatch(/^read it imports \.\/word\.mjs, which nobody has looked at: /);
  });

  it("is not quoted where it is no module", () => {
    const said = imported("x.mjs", "\n\nthe secret word", "\n\nthe secret word");
    expect(said).toBe("It cannot be loaded: it is not JavaScript; node --check says where.");
  });
});
