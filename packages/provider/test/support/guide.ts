import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import ts from "typescript";
import type { Provider } from "../../src/provider.ts";
import type { Wire, WireAddress } from "../../src/testkit/index.ts";

export const guide = new URL("../../docs/writing-a-provider.md", import.meta.url);

/** The files that the guide shows, by name without the ending: the blocks that begin with it. */
export function guideFiles(): Map<string, string> {
  const blocks = readFileSync(guide, "utf8").matchAll(/^```ts(?: no-run)?\n\/\/ ([\w-]+)\.ts\n(.*?)^```$/gms);
  return new Map([...blocks].map(([, name = "", code = ""]) => [name, code]));
}

/** The same, with a client that is built from the parts of `wireStream`, so that a test can break or replace each. */
export function filesByHand(): Map<string, string> {
  return guideFiles().set("parrot", readFileSync(new URL("parrot-by-hand.txt", import.meta.url), "utf8"));
}

/** Writes them, and what they are compiled to, so that they can import each other. */
function writeGuideFiles(folder: URL, files = guideFiles()): void {
  mkdirSync(folder, { recursive: true });
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2024, verbatimModuleSyntax: true };
  for (const [name, code] of files) {
    writeFileSync(new URL(`${name}.ts`, folder), code);
    writeFileSync(new URL(`${name}.js`, folder), ts.transpileModule(code, { compilerOptions }).outputText);
  }
}

/** The guide's provider for the conformance kit, over the sources of this package. */
export async function guideHarness(folder: URL, files = guideFiles()) {
  writeGuideFiles(folder, new Map([...files].map(([name, code]) => [name, fromSource(code)])));
  const { default: parrot } = (await import(new URL("parrot.js", folder).href)) as { default: Parrot };
  const { wire } = (await import(new URL("wire.js", folder).href)) as { wire: Wire };
  return { wire, provider: ({ url, ...options }: WireAddress) => parrot({ baseURL: url, ...options }) };
}

type Parrot = (options: Omit<WireAddress, "url"> & { baseURL: string }) => Provider;

function fromSource(code: string): string {
  const source = (path: string) => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href);
  return code
    .replaceAll('"@cogency/provider"', source("index.ts"))
    .replaceAll('"@cogency/provider/http"', source("http/index.ts"));
}
