import { createAgent } from "@cogency/agent";
import { whyRequest } from "@cogency/protocol/why";
import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { expect, it } from "vitest";
import { skills } from "./skills.ts";

it("a skill that is new breaks the cached prefix of the next run, and the log says that it was the list of skills", async () => {
  const store = memoryStore();
  const skill = (name: string) => ({ name, description: `Does ${name}.`, text: "Do it." });
  for (const list of [[skill("review")], [skill("review"), skill("zip")]]) {
    const agent = createAgent({ provider: scripted(["Yes.<end>"]), store, recordRequests: true }).use(skills(list));
    await agent.ask("Hello", { conversation: "c" });
  }
  const log = await store.load({ conversation: "c" });
  const last = log.findLast((event) => event.type === "record" && event.kind === "request");
  expect(whyRequest(log, last?.seq ?? 0)?.prefix).toMatchObject({
    state: "broken",
    kind: "skills",
    part: { kind: "system", name: "skills" },
  });
});
