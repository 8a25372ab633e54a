import { spawn } from "node:child_process";
import { UsageError } from "../../base/errors/usage-error.ts";

interface PrintLimits {
  /** Bytes that it may print. */
  readonly most: number;
  /** Milliseconds that it may take. */
  readonly time: number;
}

/**
 * What a program prints, which gets no input and begins in no folder of a project; undefined if it fails. It is ended, with all that it has
 * started, when it prints or takes more than it may.
 *
 * @param program its path
 * @throws UsageError if it prints or takes more than it may
 */
export function printedBy(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { most, time }: PrintLimits,
): Promise<Uint8Array | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array | undefined>();
  const child = spawn(program, args, { cwd: "/", env, stdio: ["ignore", "pipe", "ignore"], detached: true });
  const chunks: Buffer[] = [];
  let size = 0;
  const end = () => {
    clearTimeout(timer);
    child.stdout.destroy();
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // All of it has ended.
    }
  };
  const refuse = (why: string) => {
    end();
    reject(new UsageError(`The clipboard could not be read: ${program} ${why}.`));
  };
  const timer = setTimeout(() => refuse(`gave nothing within ${time / 1000} s`), time);
  child.stdout.on("data", (chunk: Buffer) => {
    size += chunk.length;
    chunks.push(chunk);
    if (size > most) refuse(`gave more than ${most / 1_048_576} MiB`);
  });
  child.once("error", () => {
    end();
    resolve(undefined);
  });
  child.once("close", (code) => {
    end();
    resolve(code === 0 ? Buffer.concat(chunks) : undefined);
  });
  return promise;
}
