import { counted, grouped } from "../conversation/format.ts";
import type { StartedAgent } from "../conversation/step.ts";
import { visible } from "../text.ts";
import type { PageContext } from "./page-context.ts";
import { disclosure, tag } from "./tag.ts";

/** What an agent did that a call has started: one line, and on demand its steps and a link to its conversation. */
export function agentView(agent: StartedAgent, { agents }: PageContext): HTMLElement {
  const { name, conversation, isInBackground, used } = agent;
  const facts = [
    isInBackground && "in the background",
    used && counted(used.toolCalls, "call"),
    used && `${grouped(used.tokens)} ${used.tokens === 1 ? "token" : "tokens"}`,
  ];
  const summary = [
    tag("span", { class: "label" }, "Agent"),
    tag("code", { class: "name" }, visible(name)),
    ...facts.map((fact) => fact && tag("span", { class: "fact" }, fact)),
  ];
  const href = agents?.hrefOf(conversation);
  const body = () => [
    href !== undefined && tag("p", {}, tag("a", { href }, "Its conversation alone")),
    agents?.stepsOf(conversation) ??
      tag("p", { class: "fact" }, `Its steps are in the conversation ${visible(conversation)}.`),
  ];
  const details = disclosure(summary, body, { open: agents?.open.has(conversation) });
  details.addEventListener("toggle", () => {
    if (details.open) agents?.open.add(conversation);
    else if (details.isConnected) agents?.open.delete(conversation);
  });
  return tag("div", { class: "agent" }, details);
}

/** Who has started the agent of this conversation, with a link back. */
export function callerView({ conversation: { caller }, agents }: PageContext): HTMLElement[] {
  if (!caller) return [];
  const href = agents?.hrefOf(caller.conversation);
  const back =
    href === undefined ? visible(caller.conversation) : tag("a", { href }, "the conversation that has started it");
  return [
    tag("p", { class: "caller" }, "The agent ", tag("code", {}, visible(caller.agents.join(" › "))), ", of ", back),
  ];
}
