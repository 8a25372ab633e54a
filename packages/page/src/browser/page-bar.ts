import { visible } from "../text.ts";
import { button, tag } from "./tag.ts";
import { themeButton } from "./theme.ts";

/** The head of the page: what it shows, and the tools. */
export function pageBar(title: string, facts: string, tools: HTMLElement, help: HTMLDialogElement): HTMLElement {
  return tag(
    "header",
    { class: "bar" },
    tag("a", { href: "#main", class: "skip" }, "To the conversation"),
    tag("div", { class: "titles" }, tag("h1", {}, visible(title)), tag("p", { class: "fact" }, visible(facts))),
    tools,
    tag(
      "div",
      { class: "row" },
      themeButton(),
      button("?", () => help.showModal(), { class: "quiet", "aria-label": "Keys" }),
    ),
  );
}
