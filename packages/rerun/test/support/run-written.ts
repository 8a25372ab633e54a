import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

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
    const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
    const report = join(folder, "report.json");
    const args = [vitest, "run", "--root", folder, "--reporter=json", `--outputFile=${report}`];
    const { COGENCY_TESTS: _, VITEST: __, ...env } = process.env;
    // It exits with 1 where a test fails.
    await promisify(execFile)(process.execPath, args, { cwd: folder, env, maxBuffer: 1e8 }).catch(() => {});
    return reportOf(await readFile(report, "utf8"), folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function reportOf(text: string, folder: string): Map<string, Ran> {
  const { testResults } = JSON.parse(text) as {
    testResults: { name: string; status: string; message: string; assertionResults: { failureMessages: string[] }[] }[];
  };
  return new Map(
    testResults.map(({ name, status, message, assertionResults }) => [
      name.slice(folder.length + 1),
      {
        passed: status === "passed" && assertionResults.length > 0,
        messages: [message, ...assertionResults.flatMap(({ failureMessages }) => failureMessages)].join("\n"),
      },
    ]),
  );
}
