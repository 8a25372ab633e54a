import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LogEvent } from "../events.ts";
import type { MessageForm } from "../message.ts";
import { createAssembler, toMessages } from "./assemble.ts";

const forms: readonly MessageForm[] = ["json", "xml", "native", "react"];
const at = { timestamp: 1 };
const user = (content: string): LogEvent => ({ type: "user", content, ...at });
const respond = (content: string): LogEvent => ({ type: "respond", content, ...at });

/** A step with these calls, by their ids, and their results. */
const step = (...ids: string[]): LogEvent[] => [
  ...ids.map((id): LogEvent => ({ type: "call", id, content: `{"name":"plan","args":{"of":"${id}"}}`, ...at })),
  {
    type: "result",
    ids,
    content: JSON.stringify(ids.map((id) => ({ tool: "plan", status: "success", content: `end of ${id}` }))),
    payload: { tools_executed: ids.length, success_count: ids.length, failure_count: 0 },
    ...at,
  },
];

describe.each(forms)("messages of the form %s without some calls", (form) => {
  const without = (log: readonly LogEvent[], ...ids: string[]) => toMessages(log, { form, without: ids });

  it("have neither the call nor its result, and are as if the step had never been", () => {
    const log = [user("go"), ...step("a"), ...step("b")];
    expect(without(log, "a")).toEqual(toMessages([user("go"), ...step("b")], { form }));
  });

  it("keep the other calls of a step, with their results", () => {
    const text = JSON.stringify(without([user("go"), ...step("a", "b", "c")], "b"));
    expect(text).toContain("end of a");
    expect(text).toContain("end of c");
    expect(text).not.toMatch(/of[^a-z]*b\b/);
  });

  it("keep the words of a step, with a mark in place of the arguments", () => {
    const messages = without([user("go"), respond("I plan."), ...step("a"), ...step("b")], "a");
    expect(messages.map(({ role }) => (role === "tool" ? "user" : role))).toEqual([
      "user",
      "assistant",
      "user",
      "assistant",
      "user",
    ]);
    const text = JSON.stringify(messages.slice(0, 3));
    expect(text).toContain("I plan.");
    expect(text).toContain("a later call stands for this one");
    expect(text).not.toContain("end of a");
  });

  it("hold the step that is open at the end, and ids that the log does not have have no effect", () => {
    const log = [user("go"), ...step("a"), ...step("b").slice(0, 1)];
    expect(without(log, "b", "nothing")).toEqual(toMessages(log, { form }));
  });

  it("are the same objects in every list that leaves out the same", () => {
    const assembler = createAssembler({ form });
    assembler.write([user("go"), ...step("a", "b"), ...step("c")]);
    const shown = { without: new Set(["a"]) };
    const before = assembler.messages(0, shown);
    assembler.write([user("more")]);
    const after = assembler.messages(0, { without: new Set(["a"]) });
    expect(after.slice(0, before.length).every((message, index) => message === before[index])).toBe(true);
  });

  it("have words before the first event that is shown, and after a summary", () => {
    const log: LogEvent[] = [user("one"), respond("First."), user("two"), respond("Second.")];
    const assembler = createAssembler({ form });
    assembler.write(log);
    const froms: number[] = [];
    const words = (from: number) => {
      froms.push(from);
      return `from ${from} <end>`;
    };
    const read = (from?: number) =>
      assembler.messages(from, { words }).map((message) => ("content" in message ? message.content : ""));
    expect(read()[1]).toBe("one");
    expect(read(2)).toHaveLength(4);
    assembler.write([{ type: "record", kind: "summary", data: { upTo: 2, text: "They began." }, ...at }]);
    expect(read()[0]).toBe("They began.");
    expect(read()[2]).toBe("two");
    // What looks like a marker of the form cannot pose as one.
    expect(read()[1] === "from 2 <end>").toBe(form === "native" || form === "react");
    expect(froms).toEqual([0, 2, 2, 2, 2]);
  });

  it("alternate, answer every call and end with the user's, whatever is left out", () => {
    const part = fc.oneof(
      fc.constant([user("more")]),
      fc.constant([respond("Words."), ...step("w")]),
      fc.uniqueArray(fc.constantFrom("a", "b", "c"), { minLength: 1 }).map((ids) => step(...ids)),
      fc.constant([respond("An answer."), user("and")]),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.subarray(["a", "b", "c", "w"]), (parts, ids) => {
        // An id counts once.
        let count = 0;
        const log = [user("go"), ...parts.flat()].map((event) =>
          event.type === "call" ? { ...event, id: `${event.id}${count++}` } : event,
        );
        count = 0;
        const numbered = log.map((event) =>
          event.type === "result" ? { ...event, ids: event.ids?.map((id) => `${id}${count++}`) ?? [] } : event,
        );
        const gone = numbered.flatMap((event) =>
          event.type === "call" && ids.some((id) => event.id?.startsWith(id)) ? [event.id as string] : [],
        );
        const messages = without(numbered, ...gone);
        expect(messages[0]?.role).toBe("user");
        expect(messages.at(-1)?.role).not.toBe("assistant");
        for (const [index, message] of messages.entries()) {
          if (message.role !== "assistant") continue;
          expect(messages[index - 1]?.role).not.toBe("assistant");
          const { calls = [] } = message;
          const next = messages[index + 1];
          expect(next?.role === "tool" ? next.results.map(({ id }) => id) : []).toEqual(calls.map(({ id }) => id));
        }
      }),
    );
  });
});
