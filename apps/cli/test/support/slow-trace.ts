import { writeFileSync } from "node:fs";
import type { PageEvent } from "@cogency/page";
import { pageHtml } from "@cogency/page/node";
import { wideTable } from "./page-model.ts";

/** `node slow-trace.ts FILE`: writes the trace of runs that took from milliseconds to days, with a wide table and a call in each. */
const events: PageEvent[] = [];
let now = 1_700_000_000;

function append(event: object): void {
  events.push({ timestamp: now, ...event, seq: events.length + 1 } as PageEvent);
}

for (const seconds of [0.123, 1.5, 59, 754, 3599, 42_468, 400_000]) {
  append({ type: "user", content: `Something that takes ${seconds} s` });
  append({ type: "record", kind: "request", data: { provider: "scripted", model: "slow", driver: "protocol" } });
  now += seconds / 4;
  append({
    type: "call",
    id: `c${seconds}`,
    content: JSON.stringify({ name: "shell", args: { command: "make all" } }),
  });
  append({ type: "record", kind: "started", data: { id: `c${seconds}` } });
  now += seconds / 2;
  const result = [{ tool: "shell", status: "success", content: "made" }];
  append({ type: "result", content: JSON.stringify(result), payload: {}, ids: [`c${seconds}`] });
  append({ type: "respond", content: wideTable });
  now += seconds / 4;
  const tokens = { input: 10, output: 5, cacheRead: 30, cacheWrite: 0, reasoning: 0 };
  append({ type: "record", kind: "usage", data: { ...tokens, duration: seconds } });
  append({ type: "record", kind: "run", data: { status: "completed" } });
}
const [file = ""] = process.argv.slice(2);
writeFileSync(file, pageHtml({ type: "trace", conversation: "slow", events, isRedacted: true }));
