import { Writable } from "node:stream";
import { expect, it } from "vitest";
import { PlainChoices } from "./plain-choices.ts";
import { PlainOutput } from "./plain-output.ts";

function choices() {
  let said = "";
  const sink = new Writable({
    write(chunk, _, done) {
      said += chunk;
      done();
    },
  });
  const output = new PlainOutput(Object.assign(sink, { columns: 80 }) as unknown as NodeJS.WriteStream);
  return { choices: new PlainChoices(output), said: () => said };
}

it("lists rows with numbers, asks again for what is none of them, and takes the number of the next line", async () => {
  const { choices: list, said } = choices();
  expect(list.line("1")).toBe(false);
  const chosen = list.put({ title: "Which one?", rows: ["one", "└ two\u001b[2J"] });
  expect(said()).toBe("question: Which one?\n  1 = one\n  2 = └ two\n  Type a number, or an empty line for none.\n");
  for (const wrong of ["0", "3", "two", "1.5"]) expect(list.line(wrong)).toBe(true);
  expect(said()).toContain("question: Not that: type a number from 1 to 2, or an empty line for none.");
  expect(list.line(" 2 ")).toBe(true);
  expect(await chosen).toBe(1);
  expect(list.line("1")).toBe(false);
});

it("takes nothing by an empty line, or when something else is asked", async () => {
  const { choices: list } = choices();
  const first = list.put({ title: "Which?", rows: ["one"] });
  const second = list.put({ title: "Which then?", rows: ["one"] });
  expect(await first).toBeUndefined();
  list.line("");
  expect(await second).toBeUndefined();
});
