import { execFile } from "node:child_process";
import { systemPath } from "../sandbox/find-program.ts";

export interface Git {
  /** The path of the program. */
  readonly program: string;
  /** Where it runs. */
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
}

interface GitOutput {
  readonly text: string;
  /** `cut`: it printed more than it may. `failed` also where it took too long. */
  readonly ended: "done" | "cut" | "failed";
  /** Its last words on stderr; empty where there are none. */
  readonly message: string;
}

/** Milliseconds. */
const patience = 20_000;

/**
 * Runs git without settings of the user and the machine, and without variables that name programs or other repositories.
 *
 * @param most bytes that it may print
 * @throws the reason of the signal when it aborts
 */
export function runGit({ program, folder, signal }: Git, args: readonly string[], most: number): Promise<GitOutput> {
  signal?.throwIfAborted();
  const options = {
    cwd: folder,
    env: environment(),
    timeout: patience,
    maxBuffer: most,
    killSignal: "SIGKILL" as const,
  };
  return new Promise((resolve, reject) => {
    execFile(program, [...settings, ...args], { ...options, signal, encoding: "utf8" }, (error, text, errors) => {
      if (signal?.aborted) return reject(signal.reason);
      const isCut = (error as NodeJS.ErrnoException | null)?.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";
      const message = errors.trimEnd().split("\n").at(-1) ?? "";
      resolve({ text, ended: error === null ? "done" : isCut ? "cut" : "failed", message });
    });
  });
}

const settings = [
  ...["core.quotePath=false", "core.fsmonitor=false", "core.hooksPath=/dev/null", "core.untrackedCache=false"],
  ...["core.pager=cat", "safe.bareRepository=explicit"],
].flatMap((setting) => ["-c", setting]);

function environment(): NodeJS.ProcessEnv {
  const { HOME, LANG, LC_ALL, TMPDIR, XDG_CONFIG_HOME } = process.env;
  return {
    ...{ HOME, LANG, LC_ALL, TMPDIR, XDG_CONFIG_HOME, PATH: systemPath },
    ...{ GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" },
    // A repository that lacks objects must not fetch them.
    ...{ GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none" },
  };
}
