import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { modelPath } from "../../test/support/model-path.ts";
import { readModelFile } from "./model-file.ts";

describe("readModelFile", () => {
  const path = modelPath({ contextLength: 2048, template: "{{ messages }}" });
  const bytes = readFileSync(path);
  const folder = dirname(path);

  function fileOf(name: string, content: Uint8Array): string {
    const file = join(folder, name);
    writeFileSync(file, content);
    return file;
  }

  it("says what the file says about its model", () => {
    expect(readModelFile(path)).toEqual({
      architecture: "llama",
      name: "random",
      contextLength: 2048,
      template: "{{ messages }}",
      bytes: bytes.length,
    });
  });

  it.each([
    ["no GGUF file", Buffer.from("This is a text that is longer than the head of a file."), "does not begin with GGUF"],
    ["an empty file", Buffer.alloc(0), "does not begin with GGUF"],
    ["another version", Buffer.concat([Buffer.from("GGUF"), Buffer.alloc(40, 9)]), "version"],
  ])("refuses %s", (name, content, message) => {
    expect(() => readModelFile(fileOf(`${name}.gguf`, content))).toThrow(message);
  });

  it("refuses a file that is cut off anywhere in its head", () => {
    const end = bytes.lastIndexOf("{{ messages }}");
    const file = fileOf("cut.gguf", bytes);
    for (let length = 24; length < end; length += 397) {
      writeFileSync(file, bytes.subarray(0, length));
      expect(() => readModelFile(file), `${length} bytes`).toThrow(/^it /);
    }
  });

  it("refuses numbers that lie about the size, and does not run out of memory or time", () => {
    for (let at = 8; at < 400; at += 5) {
      const lie = Buffer.from(bytes);
      lie.fill(0xff, at, at + 8);
      try {
        readModelFile(fileOf("lie.gguf", lie));
      } catch (error) {
        expect((error as Error).name).toBe("GgufError");
      }
    }
  });

  it("throws the error of the system for a file that is missing, and refuses a folder", () => {
    expect(() => readModelFile(join(folder, "none.gguf"))).toThrow("ENOENT");
    const place = join(folder, "folder.gguf");
    mkdirSync(place);
    expect(() => readModelFile(place)).toThrow("not a regular file");
  });
});
