import { type LogEvent, toMessages } from "@cogency/protocol";
import { assert, assertEqual } from "@cogency/protocol/testkit";
import { memoryStore, type Store } from "@cogency/storage";
import { protocolDriver } from "../../drivers/protocol-driver.ts";
import type { DriverCase } from "../driver-case.ts";
import type { DriverReply } from "../harness.ts";
import { otherLogs } from "../other-logs.ts";
import { answer, oneCall, textAndCall } from "../replies.ts";
import { requestProblem } from "../request-problem.ts";
import { expectStatus, type Played, type Subject } from "../subject.ts";

/** Conversations that other drivers or other processes have begun. */
export const historyCases: DriverCase[] = otherLogs.flatMap(({ name, log, words }) => [
  {
    name: `goes on with a conversation of another driver: ${name}`,
    async check(subject: Subject) {
      const played = await subject.play([{ events: subject.write(answer) }], { log });
      expectStatus(played, "completed", "a run of the conversation");
      assertValid(played, words);
    },
  },
  {
    name: `a log that ends anywhere makes a valid request: ${name}`,
    async check(subject: Subject) {
      for (let length = 1; length <= log.length; length++) {
        for (const prompt of ["Go on.", undefined]) {
          const scene = { log: log.slice(0, length), prompt };
          const played = await subject.play([{ events: subject.write(answer) }], scene);
          expectStatus(played, "completed", `the first ${length} events of the log`);
          assertValid(played, []);
        }
      }
    },
  },
]);

historyCases.push(
  {
    name: "another driver goes on with its conversation",
    async check(subject) {
      const store = memoryStore();
      await subject.play([{ events: subject.write(answer) }], { store });
      await assertOthersGoOn(subject, store, [String(answer.text)]);
    },
  },
  {
    name: "another driver goes on with its conversation with calls",
    needs: ["calls"],
    async check(subject) {
      const store = memoryStore();
      const replies = [oneCall, answer].map((reply) => ({ events: subject.write(reply) }));
      await subject.play(replies, { store });
      await assertOthersGoOn(subject, store, ["the hall", "You see the hall.", String(answer.text)]);
    },
  },
  {
    name: "a run whose process dies anywhere is recovered, and no call runs twice",
    needs: ["calls"],
    check: (subject) => assertRecovers(subject, oneCall),
  },
  {
    name: "a run that speaks beside its calls, and whose process dies anywhere, is recovered",
    needs: ["calls", "text_beside_calls"],
    check: (subject) => assertRecovers(subject, textAndCall),
  },
);

/** Lets the process die after each append of a run with a call. */
async function assertRecovers(subject: Subject, reply: DriverReply): Promise<void> {
  const replies = [reply, answer].map((one) => ({ events: subject.write(one) }));
  for (let appends = 1; ; appends++) {
    const inner = memoryStore();
    const first = await subject.play(replies, { store: dyingAfter(inner, appends) });
    const isWhole = first.result.status === "completed";
    const second = await subject.play(replies.slice(-1), { store: inner, prompt: isWhole ? "Go on." : undefined });
    expectStatus(second, "completed", `a run whose process died at append ${appends + 1}`);
    assertValid(second, []);
    assert(first.ran.length + second.ran.length <= 1, `A call ran twice: the process died at append ${appends + 1}.`);
    if (isWhole) return;
  }
}

function assertValid({ requests }: Played, words: readonly string[]): void {
  for (const [nth, request] of requests.entries()) {
    const problem = requestProblem(request);
    assert(problem === undefined, `Request ${nth + 1}: ${problem}`);
  }
  const { messages = [] } = requests[0] ?? {};
  const read = JSON.stringify(messages);
  const missing = words.find((word) => !read.includes(word));
  assert(missing === undefined, `The model must be able to read "${missing}". The messages are ${read}`);
}

/** Lets the text protocol go on, and assembles the log in every form. */
async function assertOthersGoOn(subject: Subject, store: Store, words: readonly string[]): Promise<void> {
  const driver = protocolDriver();
  const played = await subject.play(["Good.<end>"], { store, driver });
  expectStatus(played, "completed", "a run of the text protocol after this driver's");
  assertEqual(played.result.text, "Good.", "its text for the user");
  assertValid(played, words);
  for (const form of ["json", "xml", "native", "react"] as const) {
    const log: LogEvent[] = [...played.log, { type: "user", content: "And now?", timestamp: 1 }];
    const messages = toMessages(log, { form });
    assertValid({ ...played, requests: [{ system: "", messages }] }, words);
  }
}

/** A store that keeps so many appends, and fails every later one. */
function dyingAfter(inner: Store, appends: number): Store {
  let made = 0;
  return {
    ...inner,
    append: (...given) => (made++ < appends ? inner.append(...given) : Promise.reject(new Error("The process died."))),
  };
}
