import { createAgent } from "@cogency/agent";
import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { expect, it } from "vitest";
import { measureAgent, measureStore, measureWorker, traceAgent } from "./index.ts";

const agent = createAgent({ provider: scripted([]) });
const store = memoryStore();

it.each<[name: string, call: (options: object) => unknown, options: object, message: string]>([
  [
    "traceAgent",
    (o) => traceAgent(agent, o),
    { contents: true },
    "traceAgent has no option `contents` (given: true). Did you mean `content`?",
  ],
  [
    "traceAgent",
    (o) => traceAgent(agent, o),
    { content: "no" },
    "traceAgent: `content` is a string; give true or false.",
  ],
  [
    "traceAgent",
    (o) => traceAgent(agent, o),
    { tracer: {} },
    "give a tracer of OpenTelemetry, which has `startSpan()`",
  ],
  ["traceAgent", (o) => traceAgent({} as never, o), {}, "traceAgent: `agent` is an object"],
  [
    "measureAgent",
    (o) => measureAgent(agent, o),
    { metre: {} },
    "measureAgent has no option `metre` (given: an object). Did you mean `meter`?",
  ],
  [
    "measureAgent",
    (o) => measureAgent(agent, o),
    { meter: "x" },
    "measureAgent: `meter` is a string; give a meter of OpenTelemetry",
  ],
  [
    "measureStore",
    (o) => measureStore(store, o),
    { scop: "a" },
    "measureStore has no option `scop` (given: a string). Did you mean `scope`?",
  ],
  ["measureStore", (o) => measureStore({} as never, o), {}, "measureStore: `store` is an object"],
  ["measureWorker", (o) => measureWorker(o), { on: true }, "measureWorker has no option `on`"],
])("%s refuses a wrong option: %#", (_, call, options, message) => {
  expect(() => call(options)).toThrow(message);
});
