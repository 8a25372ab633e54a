import { createAgent } from "@cogency/agent";
import { nativeDriver } from "@cogency/agent/native";
import { type MakeAgent, playConversation } from "@cogency/rerun";
import { expect, it } from "vitest";
import recorded from "./native-driver.recorded.json" with { type: "json" };

// The agent as the conversation shows it: the model was told this, and each call ends as it was recorded.
// Put your own agent here. It takes the same parts, and its tools do not run either.
const makeAgent: MakeAgent = ({ record, ...parts }) =>
  createAgent({
    ...parts,
    driver: nativeDriver(),
    tools: [
      record.tool({
        name: "weather",
        description: "The weather of a city.",
        parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
        readOnly: true,
      }),
    ],
  });

it("answers: The weather in Kiel and Reykjavík?", async () => {
  const play = playConversation(makeAgent, { writes: "native", requests: recorded.requests });

  const turn = await play.turn("The weather in Kiel and Reykjavík?", [
    {
      think: "I need both cities.",
      text: "I look at both.",
      calls: [
        { name: "weather", args: { city: "Kiel" }, result: { city: "Kiel", sky: "rain", celsius: 9 } },
        {
          name: "weather",
          args: { city: "Reykjavík, the capital of Iceland" },
          result: { city: "Reykjavík, the capital of Iceland", sky: "rain", celsius: 9 },
        },
      ],
      native: [{ type: "reasoning", signature: "c2lnbmF0dXJl" }],
    },
    { think: "Rain everywhere.", text: "It rains in both." },
  ]);
  expect(turn).toEqual({
    status: "completed",
    text: "It rains in both.",
    calls: [
      { name: "weather", args: { city: "Kiel" }, outcome: "success" },
      { name: "weather", args: { city: "Reykjavík, the capital of Iceland" }, outcome: "success" },
    ],
  });

  play.end();
});
