import { writeFileSync } from "node:fs";
import type { PageEvent } from "@cogency/page";
import { pageHtml } from "@cogency/page/node";

/** `node hostile-trace.ts FILE`: writes the trace of a long log whose texts look like markup. */
const events: PageEvent[] = [];

function append(...added: object[]): void {
  for (const event of added) events.push({ timestamp: 1, ...event, seq: events.length + 1 } as PageEvent);
}

const record = (kind: string, data: object) => ({ type: "record", kind, data });

const hostile = '</script><!--<script>document.title = "owned"</script><img src=x onerror="document.title=\'owned\'">';
append({ type: "user", content: `${hostile} \u2028 \ud800` });
append({ type: "think", content: "Hm." }, { type: "respond", content: `${hostile} [x](javascript:alert(1)) **bold**` });
append({ type: "call", id: "c0", content: JSON.stringify({ name: "read", args: { file: "big.txt" } }) });
append(record("started", { id: "c0" }));
const big = { tool: "read", status: "success", content: `${"a line of a large file\n".repeat(230_000)}needle` };
append({ type: "result", content: JSON.stringify([big]), payload: {}, ids: ["c0"] });
append(record("usage", { input: 10, output: 5, cacheRead: 30, cacheWrite: 0, reasoning: 0, duration: 1 }));
for (let i = 0; i < 2500; i++) {
  const id = `n${i}`;
  append(
    { type: "call", id, content: JSON.stringify({ name: "list", args: { path: `folder-${i}` } }) },
    record("started", { id }),
    { type: "result", content: '[{"tool":"list","status":"success","content":"nothing"}]', payload: {}, ids: [id] },
    record("usage", { input: 10, output: 5, cacheRead: 30 + i, cacheWrite: 0, reasoning: 0, duration: 1 }),
  );
}
append(record("rejected", { code: "malformed_execute", message: "refused", text: "<execute>[{]</execute>" }));
const [file = ""] = process.argv.slice(2);
writeFileSync(file, pageHtml({ type: "trace", conversation: "trace", events, isRedacted: true }));
