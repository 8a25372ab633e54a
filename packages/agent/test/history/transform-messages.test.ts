import type { ModelMessage } from "@cogency/protocol";
import { expect, it } from "vitest";
import { transform } from "../../src/history.ts";
import { talking } from "./support.ts";

it.each<[string, unknown]>([
  ["nothing", null],
  ["a text", "go"],
  ["another role", { role: "system", content: "go" }],
  ["no content", { role: "user" }],
  ["no results", { role: "tool", content: "go" }],
])("a transform that gives %s among the messages fails the run, which says where it stands", async (_, given) => {
  const history = transform((messages) => [...messages, given as ModelMessage]);
  const { ask, provider } = talking(() => "Hi.<end>", { history });
  const message = "The function of transform gave something else than a message as message 2.";
  expect(await ask("go")).toMatchObject({ status: "failed", error: { code: "driver", message } });
  expect(provider.requests).toEqual([]);
});
