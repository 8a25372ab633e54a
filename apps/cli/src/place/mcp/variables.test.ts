// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a configuration are written so.
import { describe, expect, it } from "vitest";
import { withVariables } from "./variables.ts";

const set: Readonly<Record<string, string>> = { TOKEN: "t-1", HOST: "a.example", EMPTY: "" };
const lookup = (name: string) => set[name];

describe("variables in the texts of a server", () => {
  it.each([
    ["in an argument", { command: "docs", args: ["--token=${TOKEN}"] }, { command: "docs", args: ["--token=t-1"] }],
    ["in a variable", { command: "docs", env: { A: "${TOKEN}${TOKEN}" } }, { command: "docs", env: { A: "t-1t-1" } }],
    [
      "in the address and a header",
      { url: "https://${HOST}/mcp", headers: { Authorization: "Bearer ${TOKEN}" } },
      { url: "https://a.example/mcp", headers: { Authorization: "Bearer t-1" } },
    ],
    [
      "that are not set, and have a default",
      { command: "docs", cwd: "${NONE:-/srv}" },
      { command: "docs", cwd: "/srv" },
    ],
    [
      "that are empty, and have a default",
      { command: "docs", args: ["${EMPTY:-x}"] },
      { command: "docs", args: ["x"] },
    ],
    ["with an empty default", { command: "docs", args: ["${NONE:-}"] }, { command: "docs", args: [""] }],
    [
      "never in what they hold",
      { command: "docs", args: ["$TOKEN", "$(x)", "${1}"] },
      { command: "docs", args: ["$TOKEN", "$(x)", "${1}"] },
    ],
  ])("are replaced %s", (_, entry, whole) => {
    expect(withVariables(entry, lookup)).toEqual({ entry: whole, missing: [] });
  });

  it("are named if they are not set", () => {
    const entry = { url: "https://${HOST}/${NONE}", headers: { A: "${OTHER} ${NONE}" } };
    expect(withVariables(entry, lookup).missing).toEqual(["NONE", "OTHER"]);
  });

  it("are looked for once: what a variable holds is text", () => {
    const { entry } = withVariables({ command: "docs", args: ["${A}"] }, () => "${TOKEN}");
    expect(entry).toEqual({ command: "docs", args: ["${TOKEN}"] });
  });
});
