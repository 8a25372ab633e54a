import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { env, execPath } from "node:process";
import { fileURLToPath } from "node:url";
import { suiteFolder } from "./suite-folder.ts";

/** The folder in which the suite starts our client: the command that it gets is split at blanks, and so must not hold a path. */
const folder = fileURLToPath(new URL("..", import.meta.url));

/** The many processes of our client do not compile the same files again. */
const compiled = env.NODE_COMPILE_CACHE ?? join(tmpdir(), "cogency-conformance-compiled");

/** Runs the suite to its end. Its own verdict is not asked for. */
export async function runSuite(args: readonly string[]): Promise<void> {
  const program = fileURLToPath(new URL("dist/index.js", suiteFolder));
  const child = spawn(execPath, [program, ...args], {
    cwd: folder,
    env: { ...env, NODE_COMPILE_CACHE: compiled, PATH: `${dirname(execPath)}${delimiter}${env.PATH ?? ""}` },
    stdio: ["ignore", "ignore", "ignore"],
  });
  await once(child, "exit");
}
