import { expect, it } from "vitest";
import { editor, ofKind, textOf } from "./support/editor.ts";
import { schemaFaults } from "./support/schema-judge.ts";
import { sessionFaults } from "./support/session-judge.ts";
import { site } from "./support/site.ts";

/** A host with something to tell, before and after the session is open. */
function telling() {
  let tell: (text: string) => void = () => {};
  const onNotice = (given: (text: string) => void) => {
    tell = given;
    given("The server a does not start.");
    return () => {
      tell = () => {};
    };
  };
  const one = site(["Hello!<end>", "Again!<end>"], { session: { onNotice } });
  return { one, tell: (text: string) => tell(text) };
}

it("what the host has to tell is a notice, at once", async () => {
  const { one, tell } = telling();
  const here = editor(one.acp, { capabilities: { session: { notices: {} } } });
  const session = await here.open();
  const titles = () => ofKind(here.updates, "notice").map(({ title }) => title);
  await expect.poll(titles, { timeout: 20_000 }).toEqual(["The server a does not start."]);
  tell("The server b has\u202e ended.");
  await expect.poll(titles, { timeout: 20_000 }).toContain("The server b has\\u202e ended.");
  await here.prompt(session, "Hi");
  expect(textOf(here.updates)).toBe("Hello!");
  expect([...schemaFaults(here.sent), ...sessionFaults(here.sent)]).toEqual([]);
});

it("an editor without notices reads it with the next prompt, once", async () => {
  const { one, tell } = telling();
  const here = editor(one.acp);
  const session = await here.open();
  tell("The server b has ended.");
  await here.prompt(session, "Hi");
  const before = "The server a does not start.\n\nThe server b has ended.\n\n";
  expect(textOf(here.updates)).toBe(`${before}Hello!`);
  await here.prompt(session, "And?");
  expect(textOf(here.updates)).toBe(`${before}Hello!Again!`);
  expect([...schemaFaults(here.sent), ...sessionFaults(here.sent)]).toEqual([]);
  await here.agent.request("session/close", { sessionId: session });
  tell("Nobody reads this.");
});
