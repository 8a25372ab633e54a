import { assert, assertEqual, show } from "@cogency/protocol/testkit";
import { memoryStore } from "@cogency/storage";
import type { DriverCase } from "../driver-case.ts";
import { anotherCall, answer, awkwardCall, fourCalls, oneCall, plainAnswer } from "../replies.ts";
import { requestProblem } from "../request-problem.ts";
import { expectStatus, type Played, type Subject, system } from "../subject.ts";

/** What the model is asked. */
export const requestCases: DriverCase[] = [
  {
    name: "a request holds the system prompt, and every tool by its name and description",
    needs: ["calls"],
    async check(subject) {
      const played = await subject.play([{ events: subject.write(answer) }]);
      const request = played.requests[0];
      assert(request?.system.startsWith(system) === true, `\`system\` must begin with ${show(system)}.`);
      const told = JSON.stringify(request);
      for (const words of ["look", "walk", "stumble", "Use it to walk."]) {
        assert(told.includes(words), `The model must be told of its tools. The request has no ${show(words)}: ${told}`);
      }
    },
  },
  {
    name: "an agent without tools is asked and answers",
    async check(subject) {
      const played = await subject.play([{ events: subject.write(answer) }], { hasTools: false });
      expectStatus(played, "completed", "an agent without tools");
      const { tools } = played.requests[0] ?? {};
      assert(tools === undefined || tools.length > 0, "A request must leave `tools` out if there are none.");
    },
  },
  {
    name: "the settings of a request reach the model",
    async check(subject) {
      const settings = {
        model: "other-1",
        maxOutputTokens: 77,
        temperature: 0.25,
        thinking: "high" as const,
        stop: ["HALT"],
        options: { seed: 3 },
      };
      const { requests } = await subject.play([{ events: subject.write(answer) }], { request: settings });
      const { model, maxOutputTokens, temperature, thinking, stop = [], options = {} } = requests[0] ?? {};
      assertEqual(
        { model, maxOutputTokens, temperature, thinking },
        { model: "other-1", maxOutputTokens: 77, temperature: 0.25, thinking: "high" },
        "the settings",
      );
      assert(stop.includes("HALT"), `\`stop\` must hold the setting's. It is ${show(stop)}.`);
      assertEqual(options.seed, 3, "`options.seed`");
    },
  },
  {
    name: "the same log makes the same request",
    async check(subject) {
      const store = memoryStore();
      await subject.play([{ events: subject.write(plainAnswer) }], { store });
      const { log } = await subject.play([{ events: subject.write(plainAnswer) }], { store });
      const requests = [];
      for (let nth = 0; nth < 2; nth++) {
        const again = await subject.play([{ events: subject.write(answer) }], { log, prompt: "Once more." });
        requests.push(again.requests[0]);
      }
      assertEqual(requests[1], requests[0], "the second request that was made from one log");
    },
  },
  {
    name: "each request begins with the messages of the request before, with the same system prompt and tools",
    check: (subject) => assertStable(subject, [[plainAnswer], [answer], [plainAnswer]]),
  },
  {
    name: "each request of a conversation with calls begins with the messages of the request before",
    needs: ["calls"],
    check: (subject) => assertStable(subject, [[oneCall, anotherCall, answer], [answer], [awkwardCall, plainAnswer]]),
  },
  {
    name: "each request of a conversation with several calls in an answer begins with the messages of the request before",
    needs: ["calls", "batches"],
    check: (subject) => assertStable(subject, [[fourCalls, fourCalls, answer], [plainAnswer]]),
  },
];

async function assertStable(subject: Subject, turns: (typeof answer)[][]): Promise<void> {
  const store = memoryStore();
  const requests: Played["requests"][number][] = [];
  for (const replies of turns) {
    const played = await subject.play(
      replies.map((reply) => ({ events: subject.write(reply) })),
      { store },
    );
    expectStatus(played, "completed", "a turn of the conversation");
    requests.push(...played.requests);
  }
  for (const [nth, request] of requests.entries()) {
    const problem = requestProblem(request);
    assert(problem === undefined, `Request ${nth + 1}: ${problem}`);
    const before = requests[nth - 1];
    if (!before) continue;
    const { messages, ...rest } = request;
    const { messages: earlier, ...earlierRest } = before;
    assertEqual(messages.slice(0, earlier.length), earlier, `the first messages of request ${nth + 1}`);
    assert(messages.length > earlier.length, `Request ${nth + 1} must hold more messages than the one before.`);
    assertEqual(rest, earlierRest, `all but the messages of request ${nth + 1}`);
  }
}
