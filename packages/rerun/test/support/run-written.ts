import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify, stripVTControlCharacters } from "node:util";

const here = fileURLToPath(new URL("../", import.meta.url));

/** What a person sees of each test file. */
export interface Ran {
  readonly passed: boolean;
  readonly messages: string;
}

/** Runs the test files in one process of vitest, in a folder that is removed afterwards. */
export async function runWritten(files: Readonly<Record<string, string>>): Promise<Map<string, Ran>> {
  const folder = await mkdtemp(join(here, "written-"));
  try {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    await writeFile(join(folder, "vitest.config.js"), "export default { test: { include: ['**/*.test.ts'] } };\n");
    await writeFile(join(folder, "reporter.js"), reporter);
    const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
    const report = join(folder, "report.json");
    const args = [vitest, "run", "--root", folder, `--reporter=${join(folder, "reporter.js")}`];
    const { COGENCY_TESTS: _, VITEST: __, ...others } = process.env;
    const env = { ...others, REPORT: report };
    // It exits with 1 where a test fails.
    await promisify(execFile)(process.execPath, args, { cwd: folder, env, maxBuffer: 1e8 }).catch(() => {});
    return reportOf(await readFile(report, "utf8"), folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Keeps of each error what the usual reporter shows: the message, and the lines that differ. */
const reporter = `import { writeFileSync } from "node:fs";
export default class {
  onTestRunEnd(modules) {
    const files = modules.map((module) => {
      const tests = [...module.children.allTests()];
      const errors = [...module.errors(), ...tests.flatMap((test) => test.result().errors ?? [])];
      return {
        name: module.moduleId,
        passed: module.state() === "passed" && tests.length > 0,
        messages: errors.map(({ message, diff = "" }) => message + "\\n" + diff).join("\\n"),
      };
    });
    writeFileSync(process.env.REPORT, JSON.stringify(files));
  }
}
`;

function reportOf(text: string, folder: string): Map<string, Ran> {
  const files = JSON.parse(text) as (Ran & { name: string })[];
  return new Map(
    files.map(({ name, passed, messages }) => [
      name.slice(folder.length + 1),
      { passed, messages: stripVTControlCharacters(messages) },
    ]),
  );
}
