import type { Json } from "@cogency/protocol";
import { createExecutor, createRegistry, defineTool } from "@cogency/tools";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isMcpError } from "../src/client/errors.ts";
import { getPrompt } from "../src/client/prompts/get-prompt.ts";
import { listPrompts } from "../src/client/prompts/list-prompts.ts";
import { answerElicitation } from "../src/client/questions/elicitation.ts";
import { isObject } from "../src/client/questions/fields-of.ts";
import { formSchema } from "../src/client/questions/form-schema.ts";
import { listResources } from "../src/client/resources/list-resources.ts";
import { readResource } from "../src/client/resources/read-resource.ts";
import { readSampling } from "../src/client/sampling/read-sampling.ts";
import { callAsTask } from "../src/client/tasks/call-as-task.ts";
import { connected, limits } from "./support/connected.ts";

/** Words that the shapes of the protocol are made of, and others. */
const word = fc.oneof(
  fc.constantFrom(
    "string",
    "object",
    "array",
    "boolean",
    "integer",
    "form",
    "url",
    "user",
    "assistant",
    "text",
    "image",
  ),
  fc.constantFrom(
    "resource",
    "completed",
    "working",
    "__proto__",
    "constructor",
    "a\u202e",
    "",
    "AAAA",
    "image/png",
    "https://x.y/",
  ),
  fc.string({ unit: "binary" }),
);
const key = fc.oneof(
  fc.constantFrom("type", "properties", "enum", "oneOf", "items", "anyOf", "const", "title", "default", "required"),
  fc.constantFrom(
    "messages",
    "role",
    "content",
    "text",
    "data",
    "mimeType",
    "uri",
    "blob",
    "contents",
    "resource",
    "task",
  ),
  fc.constantFrom(
    "taskId",
    "status",
    "pollInterval",
    "name",
    "arguments",
    "prompts",
    "resources",
    "nextCursor",
    "mode",
    "url",
  ),
  word,
);
const anything: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    word,
    fc.constantFrom<Json>(null, true, 0, -1, 1.5, 1e308),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(key, tie("value"), { maxKeys: 6 }),
  ),
})).value;
const field = fc.record(
  { type: word, enum: anything, oneOf: anything, items: anything, default: anything, minLength: anything },
  { requiredKeys: [] },
);
const form = fc.record({
  type: fc.constant("object"),
  properties: fc.dictionary(key, fc.oneof(field, anything)),
  required: anything,
});

const { signal } = new AbortController();
const runs = { numRuns: 2000 };

describe("whatever a server sends", () => {
  it("is a form that a person can be shown, or is declined", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(form, anything), word, async (requestedSchema, message) => {
        const read = formSchema(requestedSchema);
        let asked = 0;
        const tool = defineTool({
          name: "tool",
          description: "Asks.",
          input: { type: "object" },
          asks: true,
          execute: (_, context) =>
            answerElicitation({ message, requestedSchema }, { server: "s", context, log: () => {} }),
        });
        const answer = () => {
          asked += 1;
          throw new Error("no");
        };
        const executor = createExecutor({ registry: createRegistry([tool]) });
        const [execution] = await executor.run([{ name: "tool", args: {} }], { conversation: "c", answer });
        expect(execution).toMatchObject({ outcome: "success", value: { action: "decline" } });
        if ("problem" in read) expect(asked).toBe(0);
      }),
      runs,
    );
  });

  it("is a request for a model, or says why it is none", () => {
    const message = fc.record({ role: word, content: anything });
    const params = fc.record({
      messages: fc.oneof(fc.array(message), anything),
      maxTokens: anything,
      stopSequences: anything,
    });
    fc.assert(
      fc.property(fc.oneof(params, anything), (given) => {
        const read = readSampling(given, ["image"]);
        if ("problem" in read) expect(read.problem).not.toBe("");
        else expect(read.request.messages.length).toBeGreaterThan(0);
      }),
      runs,
    );
  });

  it("gives lists, texts and values, or one McpError", async () => {
    let answer: object = {};
    const { client, link, rounds } = await connected(() => answer);
    const prompt = { server: "s", name: "p", args: [] };
    const call = { server: "s", name: "t", arguments: {}, signal, timeout: 100, total: 100 };
    const attempts: (() => Promise<unknown>)[] = [
      () => listResources(client, "s", limits).catch(thrown),
      () => listPrompts(client, "s", limits).catch(thrown),
      () => readResource(link, "a:b", { rounds, signal }),
      () => getPrompt(link, [prompt], "p", {}, { rounds, signal }),
      () => callAsTask(client, call).catch(thrown),
    ];
    /** What these throw is an error of a request, of which the connection makes one sentence. */
    function thrown(error: unknown): never {
      throw link.problem(error);
    }
    const part = fc.record({ uri: word, mimeType: word, text: word, blob: word }, { requiredKeys: [] });
    const result = fc.record(
      {
        contents: fc.array(part),
        messages: fc.array(fc.record({ role: word, content: anything })),
        prompts: anything,
        resources: anything,
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(result, anything), async (given) => {
        // Of an answer that is no object the SDK never hears.
        answer = isObject(given) ? given : {};
        for (const attempt of attempts) {
          const outcome = await attempt().catch((error: unknown) => error);
          if (outcome instanceof Error && !isMcpError(outcome)) throw outcome;
        }
      }),
      { numRuns: 1000 },
    );
  });
});
