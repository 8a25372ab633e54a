import { defineTool } from "@cogency/tools";

/** Tools, and what has run of them. */
export function probeTools() {
  const ran: string[] = [];
  const add = defineTool({
    name: "add",
    description: "Adds two numbers.",
    input: {
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number" } },
      required: ["a", "b"],
    },
    annotations: { readOnlyHint: true },
    execute({ a, b }: { a: number; b: number }) {
      ran.push("add");
      return a + b;
    },
  });
  const write = defineTool({
    name: "write",
    description: "Writes a file.",
    input: { type: "object", properties: { path: { type: "string" }, text: { type: "string" } }, required: ["path"] },
    annotations: { destructiveHint: true },
    execute({ path }: { path: string }) {
      ran.push(`write ${path}`);
      return { written: path };
    },
  });
  const began = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<string>();
  const wait = defineTool({
    name: "wait",
    description: "Works until it is told to stop.",
    input: { type: "object", properties: {} },
    annotations: { readOnlyHint: true },
    execute(_, { signal }) {
      began.resolve();
      return new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          ended.resolve("aborted");
          reject(signal.reason);
        });
      });
    },
  });
  return { add, write, wait, tools: [add, write, wait], ran, began: began.promise, ended: ended.promise };
}
