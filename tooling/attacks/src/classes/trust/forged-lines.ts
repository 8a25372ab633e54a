import type { Attack } from "../../harness/attack.ts";

/** A value that is printed where a person decides about trust. */
export type ForgedLine = [name: string, text: string];

export const forgedLines: readonly ForgedLine[] = [
  ["a line feed", "x\n    yes = false\nTrust this folder? [y/N] y"],
  ["a carriage return", "x\r    yes = false"],
  ["a line separator", "x\u2028    yes = false"],
  ["a next line", "x\u0085    yes = false"],
  ["a vertical tab", "x\u000b    yes = false"],
  ["an override of the direction", "\u202eeslaf = sey"],
  ["an escape that clears the screen", "x\u001b[2J\u001b[H    yes = false"],
  ["an escape in one byte", "x\u009b2J    yes = false"],
];

const places: readonly [name: string, file: string, content: (text: string) => object][] = [
  ["a value", "config", (text) => ({ model: text })],
  ["a list", "config", (text) => ({ allow: [text] })],
  ["the name of a profile", "config", (text) => ({ profiles: { [text]: { model: "m" } } })],
  ["a key that there is not", "config", (text) => ({ [text]: true })],
  ["a rule", "rules", (text) => ({ deny: [text] })],
];

export function forgedLineAttack([name, text]: ForgedLine): Attack {
  return {
    name: `the trust question: ${name}`,
    isDear: true,
    async run(place) {
      for (const [where, file, content] of places) {
        place.put(`root/.cogency/${file}.json`, JSON.stringify(content(text)));
        const { stdout } = await place.cogency(["trust", "--yes"]);
        const steers = /[^\P{Cc}\n]|\p{Bidi_Control}|[\u2028\u2029]/u;
        if (steers.test(stdout)) return `${where} steers the terminal: ${JSON.stringify(stdout)}`;
        if (stdout.split("\n").some((line) => /^\s*(yes|Trust this)/.test(line)))
          return `${where} forges a line: ${JSON.stringify(stdout)}`;
        place.put(`root/.cogency/${file}.json`, "{}");
      }
      return undefined;
    },
  };
}
