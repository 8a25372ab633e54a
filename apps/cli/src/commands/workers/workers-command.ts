import { styleText } from "node:util";
import type { Parked, WakeQueue } from "@cogency/storage";
import { scopeOf } from "../../base/scope-of.ts";
import { put, putLine } from "../../base/terminal/output.ts";
import { withHistory } from "../../place/store/with-history.ts";
import { workerLines } from "./worker-lines.ts";

export interface WorkersOptions {
  store: string;
  /** `-` for an agent without one. */
  scope?: string;
  json?: true;
}

/** `cogency workers`: what is due in a scope, who has claimed what, and what is parked. */
export async function workersCommand({ store: place, scope: named, json }: WorkersOptions): Promise<void> {
  const scope = named === "-" ? undefined : (named ?? scopeOf("."));
  const [queue, parked] = await withHistory({ store: place }, (store) =>
    Promise.all<[Promise<WakeQueue>, Promise<Parked[]>]>([store.queue({ scope }), store.parked({ scope })]),
  );
  if (json) return putLine({ ...queue, parked });
  const dim = (text: string) => styleText("dim", text, { stream: process.stdout });
  await put(`${workerLines(queue, parked, dim).join("\n")}\n`);
}
