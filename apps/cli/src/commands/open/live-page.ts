import { type WebPage, webPage } from "../../serve/web-page.ts";

/**
 * The page: the conversations, and the log of one of them as it grows, with a box for messages and buttons for questions.
 *
 * @param api where the server answers
 */
export function livePage(api: string): WebPage {
  return webPage({
    style:
      "body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; } pre { white-space: pre-wrap; overflow-wrap: anywhere; }",
    body: '<nav id="list" aria-label="Conversations"></nav><main id="log"></main><form id="form"><input id="words" aria-label="Message"><button>Send</button><button type="button" id="cancel">Cancel the run</button></form><p id="state" role="status"></p>',
    script: `
const api = ${JSON.stringify(api)};
const by = (id) => document.getElementById(id);
const at = (name, what) => api + "/conversations/" + encodeURIComponent(name) + "/" + what;
const element = (tag, text, more) => Object.assign(document.createElement(tag), { textContent: text }, more);
let name, source;
async function ask(address, body) {
  const answer = await fetch(address, body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  const said = await answer.json();
  by("state").textContent = answer.ok ? "" : said.message;
  return answer.ok ? said : undefined;
}
const post = (message) => ask(at(name, "messages"), { id: crypto.randomUUID(), ...message });
async function list() {
  const all = (await ask(api + "/conversations?limit=50")) ?? [];
  by("list").replaceChildren(...all.map((one) => element("a", one.title || one.conversation, { href: "#" + encodeURIComponent(one.conversation) })).flatMap((link) => [link, element("br")]));
  return all;
}
function show(event) {
  by("log").append(element("pre", event.type === "record" ? event.kind : event.type + ": " + (event.content ?? JSON.stringify(event))));
  if (event.kind !== "question") return;
  by("log").append(element("pre", JSON.stringify(event.data, null, 2)));
  for (const kind of ["approve", "deny"]) by("log").append(element("button", kind, { onclick: () => post({ kind, question: event.data.id }) }));
}
async function open() {
  const all = await list();
  name = decodeURIComponent(location.hash.slice(1)) || all[0]?.conversation || crypto.randomUUID();
  source?.close();
  by("log").replaceChildren();
  source = new EventSource(at(name, "events"));
  source.onmessage = ({ data }) => show(JSON.parse(data));
}
addEventListener("hashchange", open);
by("form").onsubmit = async (event) => {
  event.preventDefault();
  if (await post({ kind: "prompt", content: by("words").value })) by("words").value = "";
};
by("cancel").onclick = () => post({ kind: "cancel" });
open();
`,
  });
}
