import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { keysIn } from "./keys-of.ts";

it("names the keys of a type and of those that it extends, and refuses a type that extends one of another package", () => {
  const folder = mkdtempSync(join(tmpdir(), "keys-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const source = `
    import type { ClientOptions } from "openai";
    interface Base { url: string; never?: never }
    export interface Own extends Base { key?: string; client?: ClientOptions }
    export interface Theirs extends ClientOptions { key?: string }
    export type Either = { a: 1 } | { b: 2 };
  `;
  const file = join(folder, "options.ts");
  writeFileSync(file, source);
  const keysOf = keysIn([pathToFileURL(file)]);
  const keys = (type: string) => keysOf(pathToFileURL(file), type).sort();
  expect(keys("Own")).toEqual(["client", "key", "url"]);
  expect(keys("Either")).toEqual(["a", "b"]);
  expect(() => keys("Theirs")).toThrow(/Theirs of .* extends a type that is not read/);
  expect(() => keys("Nobody's")).toThrow(/exports no Nobody's/);
});
