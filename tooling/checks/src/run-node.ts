import { spawn } from "node:child_process";

/** Runs the current Node without input, for at most a minute. Its stderr is inherited. */
export async function runNode(args: string[], cwd: string): Promise<{ code: number | null; stdout: string }> {
  const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "pipe", "inherit"], timeout: 60_000 });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
  });
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once("error", reject).once("close", resolve),
  );
  return { code, stdout };
}
