import { createAgent } from "@cogency/agent";
import { type MakeAgent, playConversation } from "@cogency/rerun";
import { expect, it } from "vitest";
import recorded from "./tool-asks-a-person.recorded.json" with { type: "json" };

// The agent as the conversation shows it: the model was told this, and each call ends as it was recorded.
// Put your own agent here. It takes the same parts, and its tools do not run either.
const makeAgent: MakeAgent = ({ record, ...parts }) =>
  createAgent({
    ...parts,
    tools: [
      record.tool({
        name: "book",
        description: "Book a cabin. Asks the person which one.",
        parameters: { type: "object", properties: { ship: { type: "string" } }, required: ["ship"] },
        asks: true,
      }),
    ],
  });

it("asks first: Book the Aurora.", async () => {
  const play = playConversation(makeAgent, { requests: recorded.requests });

  const first = await play.turn("Book the Aurora.", [
    {
      calls: [
        {
          name: "book",
          args: { ship: "Aurora" },
          asks: {
            message: "Which cabin on the Aurora?",
            schema: {
              type: "object",
              properties: {
                cabin: { type: "string", enum: ["inside", "outside"] },
                beds: { type: "integer", minimum: 1 },
              },
              required: ["cabin", "beds"],
            },
          },
          result: "Aurora: outside cabin with 2 beds",
        },
      ],
    },
  ]);
  expect(first).toEqual({
    status: "waiting",
    calls: [{ name: "book", args: { ship: "Aurora" }, outcome: "waiting" }],
    questions: [{ tool: "book", asks: "answer", message: "Which cabin on the Aurora?" }],
  });

  const second = await play.turn({ answer: "book", content: { beds: 2, cabin: "outside" } }, [
    "You have an outside cabin.",
  ]);
  expect(second).toEqual({
    status: "completed",
    text: "You have an outside cabin.",
    calls: [{ name: "book", args: { ship: "Aurora" }, outcome: "success" }],
  });

  play.end();
});
