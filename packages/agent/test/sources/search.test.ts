import { memoryStore } from "@cogency/storage";
import type { Tool } from "@cogency/tools";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toolSearch } from "../../src/tool-search.ts";
import { conversation } from "../support/fixtures.ts";
import { descriptionsOf, type Hand, handNames, hands, manyTools, namesOf } from "../support/many-tools.ts";
import { changingSource, noticesIn, remote, sourced } from "../support/sources.ts";
import { announced, expectOnePrefix, results, seeking } from "../support/tool-search.ts";

const many = manyTools(60);

const searching = (hand: Hand, ...tools: Tool[]) => {
  const source = changingSource("work", ...tools);
  const agentOf = (steps: Parameters<typeof sourced>[0], search = toolSearch(), store = memoryStore()) =>
    sourced(steps, [source], { driver: hand.driver(), toolSearch: search, tools: [remote("own")] }, store);
  return { source, agentOf };
};

describe.each(["json", "native", "react"] as const)(
  "a search over the tools of sources, with the driver for %s",
  (name) => {
    const hand: Hand = hands[name];
    const find = (query: string) => hand.call("find_tools", { query });

    it("finds a tool and calls it", async () => {
      const { agentOf } = searching(hand, ...many);
      const { ask, provider, log } = agentOf(
        seeking(hand, "lock a photo", "lock_issue"),
        toolSearch({ rank: () => ["lock_issue"] }),
      );
      expect(await ask()).toMatchObject({ status: "completed", text: "It is done.", toolErrors: 0 });
      expect(announced(await log())).toEqual(["lock_issue"]);
      expectOnePrefix(provider.requests);
    });

    it("finds what has come meanwhile, and no longer what is gone", async () => {
      const { source, agentOf } = searching(hand, ...many);
      const { ask, provider, log } = agentOf([
        () => {
          source.set(...many.slice(1), remote("weather__forecast"));
          return find("own");
        },
        find("weather__forecast"),
        find("create_issue"),
        hand.call("create_issue", { title: "A" }),
        hand.say("So."),
      ]);
      await ask();
      const found = results(await log());
      expect(found[1]?.content).toContainEqual({ name: "weather__forecast", description: "Does weather__forecast." });
      expect(found[2]?.content).not.toContainEqual(expect.objectContaining({ name: "create_issue" }));
      expect(found[3]?.content).toContain("The tool create_issue is not there any more");
      expect(noticesIn(await log()).join("\n")).toContain(
        "New, to be found with find_tools: weather__forecast. No longer there: create_issue.",
      );
      expectOnePrefix(provider.requests);
    });

    it("describes a tool again that has changed", async () => {
      const { source, agentOf } = searching(hand, ...many);
      const search = toolSearch({ rank: () => ["create_issue"] });
      const changed = remote("create_issue", { description: "Creates it otherwise." });
      const { ask, provider, log } = agentOf(
        [
          find("it"),
          () => {
            source.set(changed, ...many.slice(1));
            return find("it");
          },
          find("it"),
          find("it"),
          hand.say("So."),
        ],
        search,
      );
      await ask();
      expect(announced(await log())).toEqual(["create_issue", "create_issue"]);
      const text = JSON.stringify(provider.requests.at(-1)?.messages);
      expect(descriptionsOf(text, "create_issue")).toBe(2);
      expect(text).toContain("Changed, so find them again before you call them: create_issue.");
    });

    it("stays as it was in the first step, however many tools there are later", async () => {
      const [few, most] = [many.slice(0, 3), many];
      for (const [first, second, isOn] of [
        [few, most, false],
        [most, few, true],
      ] as const) {
        const { source, agentOf } = searching(hand, ...first);
        const { ask, provider } = agentOf([
          () => {
            source.set(...second);
            return hand.call("own", {});
          },
          hand.say("So."),
          hand.say("And now?"),
        ]);
        await ask();
        const hasSearch = () =>
          provider.requests.map(({ system, tools }) => (system + namesOf(tools)).includes("find_tools"));
        expect(hasSearch()).toEqual([isOn, isOn]);
        // The next run decides anew.
        await ask();
        expect(hasSearch()).toEqual([isOn, isOn, !isOn]);
      }
    });

    it("keeps offering a tool of a source that is to be kept, as it was in the first step", async () => {
      const { source, agentOf } = searching(hand, ...many);
      const search = toolSearch({ keep: ["create_issue", "not_there_yet"], limit: 1 });
      const { ask, provider, log } = agentOf(
        [
          () => {
            source.set(
              remote("create_issue", { description: "Creates it otherwise." }),
              remote("not_there_yet"),
              ...many.slice(1),
            );
            return find("list_issue");
          },
          find("create_issue"),
          find("not_there_yet"),
          hand.say("So."),
        ],
        search,
      );
      await ask();
      expectOnePrefix(provider.requests);
      expect(announced(await log())).toEqual(["list_issue", "create_issue", "not_there_yet"]);
    });
  },
);

describe("the beginning of requests with a search", () => {
  const pool = manyTools(12);
  const definitions = pool.flatMap((tool) => [tool, remote(tool.name, { description: `Another ${tool.name}.` })]);
  const sets = fc.array(fc.subarray(definitions), { minLength: 2, maxLength: 6 });

  it.each(handNames)("never changes within a run, whatever the sources do: %s", async (name) => {
    const hand: Hand = hands[name];
    await fc.assert(
      fc.asyncProperty(sets, fc.subarray(namesOf(pool.map(({ spec }) => spec))), async (states, keep) => {
        const source = changingSource("work");
        const steps = states.map((state, index) => () => {
          source.set(...state);
          return index % 2 === 0
            ? hand.call("find_tools", { query: "issue" })
            : hand.call(state[0]?.name ?? "none", { title: "A" });
        });
        const { ask, provider } = sourced([...steps, hand.say("So.")], [source], {
          driver: hand.driver(),
          toolSearch: toolSearch({ above: 0, keep, limit: 2 }),
          tools: [remote("own")],
        });
        expect(await ask()).toMatchObject({ status: "completed" });
        expectOnePrefix(provider.requests);
      }),
      { numRuns: 15 },
    );
  });
});

describe("names that a search needs", () => {
  it.each(["find_tools", "call_tool"])("are left out of a source: %s", async (reserved) => {
    const { source, agentOf } = searching(hands.json, ...many);
    source.set(remote(reserved), ...many);
    const { ask, warn } = agentOf(["So.<end>"]);
    expect(await ask()).toMatchObject({ status: "completed" });
    expect(warn.mock.calls.flat().join()).toContain(`offers the tool ${reserved}, which is left out`);
    expect(conversation).toBe("c");
  });
});
