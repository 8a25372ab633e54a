import { once } from "node:events";
import { createInterface } from "node:readline";
import type { LogEvent } from "@cogency/protocol";
import type { Key, Lease } from "@cogency/storage";
import type { AppendOptions, LeaseOptions } from "@cogency/storage/adapter";
import { spawnScript } from "./spawn-script.ts";

/** A process that has the store open and carries out requests. Errors come back with their data. */
export interface OtherProcess {
  append(key: Key, events: LogEvent[], options?: AppendOptions): Promise<number>;
  delete(key: Key): Promise<boolean>;
  lease(key: Key, options: LeaseOptions): Promise<Pick<Lease, "owner" | "token" | "expiresAt">>;
  /** The last lease that it got. */
  renew(): Promise<void>;
  /** Whether `lost` of that lease has aborted. */
  isLost(): Promise<boolean>;
  /** Resolves when the killed process has ended. */
  signal(signal: "SIGSTOP" | "SIGCONT" | "SIGKILL"): Promise<void>;
}

export interface Request {
  method: "append" | "delete" | "lease" | "renew" | "isLost";
  parameters: unknown[];
}

export type Answer = { result: unknown } | { error: { code: string; message: string } };

export function otherProcess(path: string): OtherProcess {
  const child = spawnScript("serve-store.ts", path);
  const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
  const ask = async (method: Request["method"], ...parameters: unknown[]): Promise<unknown> => {
    child.stdin.write(`${JSON.stringify({ method, parameters } satisfies Request)}\n`);
    const { value, done } = await answers.next();
    if (done) throw new Error("The process ended.");
    const answer: Answer = JSON.parse(value);
    if ("error" in answer) throw Object.assign(new Error(answer.error.message), answer.error);
    return answer.result;
  };
  return {
    append: (...parameters) => ask("append", ...parameters) as ReturnType<OtherProcess["append"]>,
    delete: (key) => ask("delete", key) as ReturnType<OtherProcess["delete"]>,
    lease: (...parameters) => ask("lease", ...parameters) as ReturnType<OtherProcess["lease"]>,
    renew: () => ask("renew") as ReturnType<OtherProcess["renew"]>,
    isLost: () => ask("isLost") as ReturnType<OtherProcess["isLost"]>,
    async signal(signal) {
      const closed = once(child, "close");
      child.kill(signal);
      if (signal === "SIGKILL") await closed;
    },
  };
}
