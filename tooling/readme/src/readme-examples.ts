import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { addToProgram, asJavaScript, check } from "./compile.ts";
import { type Example, examplesOf, firstExampleProblem } from "./example.ts";
import { run } from "./run.ts";

/**
 * Registers vitest tests for the README of a package, or for a document beside it: every `ts` and `tsx` block compiles (strict, exactOptionalPropertyTypes,
 * nodenext) as a module of that package, which may import the package by its own name, and runs with the current Node
 * in an empty folder within 30 seconds. If a `text` block follows directly, stdout equals it, trailing white space
 * aside. Blocks tagged `ts no-run` are only compiled. The first example must be run and be followed by its output. A block
 * that begins with `// name.ts` can be imported by the others, as `./name.js`.
 *
 * @param home the folder of the package whose dependencies the examples import, for a README that stands elsewhere
 */
export function readmeExamples(readme: URL, home: URL = new URL(".", readme)): void {
  const path = fileURLToPath(readme);
  const title = basename(path, ".md");
  const markdown = readFileSync(path, "utf8");
  const examples = examplesOf(markdown);
  // Not inside node_modules: there a package cannot import itself by name and Node strips no types.
  const folder = join(fileURLToPath(home), ".readme", title);
  const fileOf = ({ line, hasJsx }: Example) => join(folder, `line-${line}.${hasJsx ? "tsx" : "ts"}`);
  /** Node strips types, and reads no JSX. */
  const programOf = (example: Example) => fileOf(example).replace(/\.tsx$/, ".js");

  describe(title, () => {
    it("begins with an example that runs and shows what it prints", () => {
      const problem = firstExampleProblem(markdown);
      if (problem !== undefined) expect.fail(`${path}: ${problem}`);
    });
    if (examples.length === 0) return;

    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const example of examples) {
      writeFileSync(fileOf(example), atReadmeLine(example));
      if (example.hasJsx) writeFileSync(programOf(example), asJavaScript(atReadmeLine(example), true));
      addToProgram(fileOf(example));
    }
    for (const { name, code } of namedBlocks(examples)) {
      writeFileSync(join(folder, `${name}.ts`), code);
      writeFileSync(join(folder, `${name}.js`), asJavaScript(code));
    }
    afterAll(() => {
      rmSync(folder, { recursive: true, force: true });
      removeIfEmpty(dirname(folder));
    });

    for (const example of examples) {
      it(`example at line ${example.line} compiles`, () => {
        const diagnostics = check(fileOf(example), path);
        if (diagnostics !== "") expect.fail(diagnostics);
      });
    }
    for (const example of examples.filter(({ runs }) => runs)) {
      const promise = example.output === undefined ? "runs" : "runs and prints what the README shows";
      it.concurrent(`example at line ${example.line} ${promise}`, async () => {
        const printed = await run(programOf(example));
        if (example.output !== undefined)
          expect(withoutTrailingSpace(printed)).toBe(withoutTrailingSpace(example.output));
      });
    }
  });
}

/** Blank lines before the code give diagnostics and stack traces the README's own line numbers. */
function atReadmeLine(example: Example): string {
  return `${"\n".repeat(example.line)}${example.code}\n`;
}

/** The blocks that begin with the name of a file. */
function namedBlocks(examples: readonly Example[]): { name: string; code: string }[] {
  return examples.flatMap(({ code }) => {
    const name = /^\/\/ ([\w-]+)\.ts\n/.exec(code)?.[1];
    return name === undefined ? [] : [{ name, code }];
  });
}

/** Another document of the same folder may still have its examples there. */
function removeIfEmpty(folder: string): void {
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

function withoutTrailingSpace(text: string): string {
  return text.replaceAll(/[^\S\n]+$/gm, "").trimEnd();
}
