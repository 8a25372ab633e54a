import { fork } from "node:child_process";

/** Sends `request` to a module in a process of its own. @returns its answer @throws Error if it ends without one */
export function runProcess<Answer>(module: string, request: object): Promise<Answer> {
  const child = fork(new URL(module, import.meta.url), { execArgv: ["--expose-gc"] });
  return new Promise((resolve, reject) => {
    child.once("message", (answer) => resolve(answer as Answer));
    child.once("exit", (code) => reject(new Error(`${module} ended with code ${code}: ${JSON.stringify(request)}`)));
    child.send(request);
  });
}

/** Answers the request that this process was started with. */
export function answer<Request>(work: (request: Request) => Promise<unknown>): void {
  process.once("message", async (request) => {
    process.send?.(await work(request as Request), () => process.disconnect());
  });
}
