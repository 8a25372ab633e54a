import "./page.css";
import { ShownConversation } from "../conversation/shown-conversation.ts";
import type { PageSource, TraceSource } from "../page-source.ts";
import { AgentSteps } from "./agent-steps.ts";
import { ConversationPage } from "./conversation-page.ts";
import { listenForKeys } from "./keys.ts";
import { LivePage } from "./live/live-page.ts";
import { pageBar } from "./page-bar.ts";
import { openForPrint } from "./print.ts";
import { tag } from "./tag.ts";

const source = JSON.parse(document.getElementById("source")?.textContent ?? "") as PageSource;
if (source.type === "trace") showTrace(source);
else new LivePage(source).start();
openForPrint();

function showTrace({ conversation: name, events, agents = {}, isRedacted }: TraceSource): void {
  const conversation = new ShownConversation();
  for (const event of events) conversation.write(event);
  const page = new ConversationPage({
    conversation,
    hrefOf: (seq) => `#e${seq}`,
    idOf: (seq) => `e${seq}`,
    agents: new AgentSteps({
      hrefOf: () => undefined,
      hrefOfEvent: (_, __, id) => `#${id}`,
      read(of, onEvent) {
        if (!Object.hasOwn(agents, of)) return undefined;
        for (const event of agents[of] ?? []) onEvent(event);
        return () => {};
      },
    }),
  });
  const help = listenForKeys((filter) => page.setFilter(filter));
  page.draw();
  const title = page.title || name;
  document.title = `${title} – trace`;
  const facts = [name, isRedacted ? "what looks like a secret is redacted" : "secrets are kept"];
  document.body.append(
    pageBar(title, facts.join(" · "), page.bar, help),
    tag("main", { id: "main" }, page.element),
    help,
  );
  const showHash = () => {
    const [, seq] = /^#e(\d+)$/.exec(location.hash) ?? [];
    if (seq) page.show(Number(seq));
  };
  addEventListener("hashchange", showHash);
  showHash();
}
