import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs a TypeScript file with the current Node in a fresh folder and returns what it printed on stdout. */
export async function run(file: string, limit = 30_000): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "readme-"));
  try {
    return await output(file, folder, limit);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function output(file: string, cwd: string, limit: number): Promise<string> {
  const child = spawn(process.execPath, [file], { cwd, env: userEnvironment(), stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  let isOverdue = false;
  const timer = setTimeout(() => {
    isOverdue = true;
    child.kill("SIGKILL");
  }, limit);
  const ending = await new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(signal ?? `exit code ${code}`));
  }).finally(() => clearTimeout(timer));
  if (ending === "exit code 0") return stdout;
  const what = isOverdue ? `was still running after ${limit / 1000} s` : `ended with ${ending}`;
  throw new Error(`The example ${what}.\n${stderr}${stdout}`);
}

/** The test runner's own settings must not reach an example: it runs as it would for a reader. */
function userEnvironment(): NodeJS.ProcessEnv {
  const isRunners = (name: string) =>
    /^(VITEST|NODE_ENV$|NODE_OPTIONS$|TEST$|DEV$|PROD$|MODE$|SSR$|BASE_URL$)/.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isRunners(name)));
}
