import type { ModelReply } from "@cogency/provider/testkit";
import { runProviderConformance, withoutReasoning, withoutTools, withoutWire } from "@cogency/provider/testkit";
import { expect, it } from "vitest";
import { type Reply, realtimeServer } from "../../test/support/realtime-server.ts";
import { openai } from "../openai.ts";

const declare = {
  ...Object.fromEntries(Object.keys(withoutWire).map((name) => [name, "its wire is no HTTP: its own tests ask this"])),
  ...withoutTools,
  ...withoutReasoning,
  "usage is exact: cache writes, which are no part of input": "the wire does not tell them",
};

it("speaks Realtime as every provider must, as far as the kit can ask over a WebSocket", async () => {
  const report = await runProviderConformance("openai-realtime", async () => {
    let reply: Reply = { pieces: ["One, ", "two, ", "three."] };
    const server = await realtimeServer({ answer: () => reply });
    return {
      provider: (said?: ModelReply) => {
        if (said) reply = replyOf(said);
        return openai({ api: "realtime", baseURL: server.url.href, apiKey: "key-of-the-test" });
      },
      declare,
    };
  });
  console.log(report.table);
  const declared = report.cases.filter(({ status }) => status === "declared");
  expect(declared.map(({ name }) => name).toSorted()).toEqual(Object.keys(declare).toSorted());
});

function replyOf({ parts, usage, finish }: ModelReply): Reply {
  const { input, output, cacheRead, cacheWrite, reasoning } = usage;
  const reason = finish === "length" ? "max_output_tokens" : finish;
  return {
    pieces: parts.flatMap((part) => (part.type === "text" ? [part.text] : [])),
    done: {
      ...(finish === "stop" ? {} : { status: "incomplete", status_details: { type: "incomplete", reason } }),
      usage: {
        input_tokens: input + cacheRead + cacheWrite,
        input_token_details: { cached_tokens: cacheRead },
        output_tokens: output,
        output_token_details: { reasoning_tokens: reasoning },
      },
    },
  };
}
