import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toolNames } from "./tool-names.ts";

const namesOf = (server: string, tools: string[]) => Object.fromEntries(toolNames(server, tools).names);

describe("toolNames", () => {
  it("puts the server before the tool, and changes nothing that a wire takes", () => {
    expect(namesOf("docs", ["search", "get-page", "a_b"])).toEqual({
      search: "docs__search",
      "get-page": "docs__get-page",
      a_b: "docs__a_b",
    });
  });

  it("replaces characters that no wire takes", () => {
    expect(namesOf("docs", ["repo.list", "größe"])).toEqual({ "repo.list": "docs__repo_list", größe: "docs__gr__e" });
  });

  it("gives each tool that was changed a hash where two would have one name, and tells it", () => {
    const { names, problems } = toolNames("docs", ["a.b", "a_b", "a/b"]);
    expect(names.get("a_b")).toBe("docs__a_b");
    expect(names.get("a.b")).toMatch(/^docs__a_b_\w{7}$/);
    expect(names.get("a/b")).toMatch(/^docs__a_b_\w{7}$/);
    expect(names.get("a/b")).not.toBe(names.get("a.b"));
    expect(problems).toHaveLength(2);
  });

  it("cuts a long name and ends it in a hash of the whole", () => {
    const long = "x".repeat(100);
    const names = namesOf("docs", [long, `${long}y`]);
    expect(names[long]).toHaveLength(64);
    expect(names[long]).not.toBe(names[`${long}y`]);
  });

  it("leaves out a tool that took the name which another one gets by its hash", () => {
    const shared = namesOf("docs", ["a.b", "a_b"])["a.b"]?.replace("docs__", "") as string;
    const { names, problems } = toolNames("docs", ["a.b", "a_b", shared]);
    expect(names.get(shared)).toBe(`docs__${shared}`);
    expect(names.has("a.b")).toBe(false);
    expect(problems.join()).toContain("left out");
  });

  it("gives names within the limits, each once, whatever the order of the list", () => {
    const tools = fc.uniqueArray(fc.oneof(fc.string({ maxLength: 80 }), fc.stringMatching(/^[a-c._/]{1,4}$/)), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(tools, fc.nat(), (list, turn) => {
        const at = list.length === 0 ? 0 : turn % list.length;
        const first = toolNames("s", list);
        const second = toolNames("s", [...list.slice(at), ...list.slice(0, at)].reverse());
        expect(new Map([...second.names].sort())).toEqual(new Map([...first.names].sort()));
        const names = [...first.names.values()];
        expect(new Set(names).size).toBe(names.length);
        for (const name of names) expect(name).toMatch(/^s__[A-Za-z0-9_-]{0,61}$/);
      }),
    );
  });
});
