import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { configurationFolder } from "../../base/configuration-folder.ts";
import { llamaLibraryFile } from "./llama-library.ts";

function folderWithLibrary(): string {
  const folder = mkdtempSync(join(tmpdir(), "cogency-library-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const place = join(folder, "node_modules/node-llama-cpp");
  mkdirSync(place, { recursive: true, mode: 0o755 });
  writeFileSync(join(place, "package.json"), JSON.stringify({ name: "node-llama-cpp", exports: "./main.js" }));
  writeFileSync(join(place, "main.js"), "");
  return join(folder, "node_modules");
}

describe("the library of models in files", () => {
  it("is the first one that is installed in the folders", () => {
    const modules = folderWithLibrary();
    expect(llamaLibraryFile(["/nowhere", modules])).toBe(join(modules, "node-llama-cpp/main.js"));
  });

  it("is asked for with the command that installs it for this person", () => {
    expect(() => llamaLibraryFile(["/nowhere"])).toThrow(
      `Type: npm install --prefix ${configurationFolder()} node-llama-cpp`,
    );
  });

  it.skipIf(process.getuid === undefined)("is not loaded if every user may change it", () => {
    const modules = folderWithLibrary();
    chmodSync(join(modules, "node-llama-cpp/main.js"), 0o666);
    expect(() => llamaLibraryFile([modules])).toThrow("is not loaded: every user may write to ");
  });
});
