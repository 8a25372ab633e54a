import { createAgent } from "@cogency/agent";
import { type MakeAgent, playConversation } from "@cogency/rerun";
import { expect, it } from "vitest";
import recorded from "./approval-denied.recorded.json" with { type: "json" };

// The agent as the conversation shows it: the model was told this, and each call ends as it was recorded.
// Put your own agent here. It takes the same parts, and its tools do not run either.
const makeAgent: MakeAgent = ({ record, ...parts }) =>
  createAgent({
    ...parts,
    tools: [
      record.tool({
        name: "refund",
        description: "Refund an order.",
        parameters: {
          type: "object",
          properties: { order: { type: "string" }, amount: { type: "number" } },
          required: ["order", "amount"],
        },
        approval: "ask",
      }),
    ],
  });

it("asks first: Refund order A1.", async () => {
  const play = playConversation(makeAgent, { requests: recorded.requests });

  const first = await play.turn("Refund order A1.", [
    { calls: [{ name: "refund", args: { order: "A1", amount: 5 } }] },
  ]);
  expect(first).toEqual({
    status: "waiting",
    calls: [{ name: "refund", args: { order: "A1", amount: 5 }, asked: true, outcome: "waiting" }],
    questions: [{ tool: "refund", asks: "approval" }],
  });

  const second = await play.turn({ deny: "refund", reason: "That is too much." }, ["Then I refund three."]);
  expect(second).toEqual({
    status: "completed",
    text: "Then I refund three.",
    calls: [
      {
        name: "refund",
        args: { order: "A1", amount: 5 },
        asked: true,
        outcome: "denied",
        result: "refund was refused and did not run: That is too much.",
      },
    ],
  });

  play.end();
});
