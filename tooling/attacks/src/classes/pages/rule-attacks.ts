import type { Attack } from "../../harness/attack.ts";
import type { Place } from "../../harness/place.ts";
import { openedPage } from "./opened-page.ts";

/** Texts in the place of a rule that a question about `write:docs/one.txt` offers. */
const forged: readonly [name: string, rule: unknown][] = [
  ["the name of a tool", "write"],
  ["the name of another tool", "shell"],
  ["a pattern for everything", "shell:**"],
  ["an offered rule and another one", "write:docs/one.txt, shell"],
  ["an offered rule with spaces around it", " write:docs/** "],
  ["a list with an offered rule", ["write:docs/**"]],
  ["the number of an offered rule", 0],
  ["the key of an offered rule", "a"],
  ["nothing", ""],
];

/** The browser of the page sends a rule that the question does not offer. No rule may be kept, and the call may not run. */
export const ruleAttacks: Attack[] = [
  ...forged.map(
    ([name, rule]): Attack => ({
      name: `an approval with ${name} as its rule`,
      isDear: true,
      async run(place) {
        const { statuses, kept, wasWritten } = await approve(place, rule);
        if (kept !== undefined) return `a rule was kept: ${kept}`;
        if (wasWritten) return "the call ran";
        return statuses.some((status) => status < 400) ? `it was answered with ${statuses}` : undefined;
      },
    }),
  ),
  {
    name: "control: an approval with an offered rule",
    isControl: true,
    isDear: true,
    async run(place) {
      const { kept } = await approve(place, "write:docs/**");
      return kept?.includes('"write:docs/**"') ? undefined : `the rules are ${kept}`;
    },
  },
];

async function approve(place: Place, rule: unknown) {
  const calls = [{ name: "write", args: { file: "docs/one.txt", content: place.canary } }];
  await place.run([calls], ["go", "--wait", "--conversation", "asks", "--access", "project", "--sandbox", "off"]);
  const log = await place.log("asks");
  const question = log.flatMap((event) =>
    event.type === "record" && event.kind === "question" ? [event.data.id] : [],
  )[0];
  if (question === undefined) throw new Error("nothing was asked");
  const { origin, cookie, path, ask } = await openedPage(place);
  const headers = { origin, cookie, "content-type": "application/json" };
  const statuses: number[] = [];
  for (const kind of ["approve", "deny"]) {
    const body = JSON.stringify({ id: kind, kind, question, rule });
    statuses.push((await ask("POST", `${path}/api/conversations/asks/messages`, headers, body)).status);
  }
  return {
    statuses,
    kept: place.text("home/.config/cogency/rules.json"),
    wasWritten: place.text("root/docs/one.txt") !== undefined,
  };
}
