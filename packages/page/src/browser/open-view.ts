import { type CallPart, type Part, type Parts, partialArgs, type ThinkingPart } from "@cogency/protocol/parts";
import { revealed, visible } from "../text.ts";
import { gistOf } from "./arguments-view.ts";
import { GrowingMarkdown } from "./growing-markdown.ts";
import { tag } from "./tag.ts";

/** One part that grows. */
interface Growing {
  readonly element: HTMLElement;
  draw(part: Part): void;
}

/**
 * What a run is writing now. An element is made once for each unit and each call, and then changed where it grows. It is no live region:
 * a screen reader reads what is stored, when it is stored.
 */
export class OpenView {
  readonly element = tag("div", { class: "open", role: "group", "aria-label": "Being written", hidden: true });
  readonly #growing = new Map<string, Growing>();
  #drawn: Parts = [];

  draw(open: Parts): void {
    const isSame = open.length === this.#drawn.length && open.every((part, at) => part === this.#drawn[at]);
    if (isSame) return;
    this.#drawn = open;
    const keys = open.map(keyOf);
    for (const [key, { element }] of this.#growing) {
      if (keys.includes(key)) continue;
      element.remove();
      this.#growing.delete(key);
    }
    for (const [at, part] of open.entries()) {
      const key = keys[at] ?? "";
      const known = this.#growing.get(key);
      const growing = known ?? made(part);
      growing.draw(part);
      if (known) continue;
      this.#growing.set(key, growing);
      this.element.insertBefore(growing.element, this.element.children[at] ?? null);
    }
    this.element.hidden = open.length === 0;
  }
}

function keyOf(part: Part): string {
  return part.type === "call" ? `call ${part.id}` : `${part.type} ${"unit" in part ? part.unit : ""}`;
}

function made({ type }: Part): Growing {
  return type === "thinking" ? growingThought() : type === "call" ? growingCall() : growingText();
}

function growingText(): Growing {
  const text = new GrowingMarkdown();
  const element = tag("article", { class: "entry text", "aria-label": "Answer" }, text.element);
  return { element, draw: (part) => part.type === "text" && text.write(part.content) };
}

/** The end of a thought, and on demand all of it. */
function growingThought(): Growing {
  const text = new GrowingMarkdown();
  const gist = tag("span", { class: "gist" });
  const details = tag("details", {}, tag("summary", {}, tag("span", { class: "label" }, "Thinking"), " ", gist));
  details.append(text.element);
  let now: ThinkingPart | undefined;
  const draw = (part: Part | undefined) => {
    if (part?.type !== "thinking") return;
    now = part;
    gist.textContent = endOf(part.content, 80);
    if (details.open) text.write(part.content);
  };
  details.addEventListener("toggle", () => draw(now));
  return { element: tag("article", { class: "entry thinking", "aria-label": "Thinking" }, details), draw };
}

/** A call: what it is about as far as that is written, and the end of its longest argument. */
function growingCall(): Growing {
  const name = tag("code", { class: "name" });
  const gist = tag("span", { class: "gist" });
  const end = tag("pre", { class: "writing" });
  const line = tag(
    "p",
    { class: "line-of-call" },
    tag("span", { class: "sign", "aria-hidden": "true" }, "…"),
    name,
    gist,
  );
  line.append(tag("span", { class: "fact outcome" }, "is being written"));
  const element = tag("article", { class: "entry call unsettled", "aria-label": "Call" }, line, end);
  const drawCall = ({ name: called, text = "" }: CallPart) => {
    const args = partialArgs(text);
    const texts = Object.values(args).filter((value) => typeof value === "string");
    const longest = texts.reduce((longest, value) => (value.length > longest.length ? value : longest), "");
    name.textContent = revealed(called);
    gist.textContent = gistOf(args);
    end.textContent = longest.length > 120 || longest.includes("\n") ? visible(lastLines(longest)) : "";
  };
  return { element, draw: (part) => part.type === "call" && drawCall(part) };
}

/** The end of a text on one line. */
function endOf(text: string, most: number): string {
  const line = text
    .slice(-most * 2)
    .replace(/\s+/g, " ")
    .trim();
  return visible(line.length > most ? `…${line.slice(1 - most)}` : line);
}

function lastLines(text: string): string {
  return text.slice(-1200).split("\n").slice(-8).join("\n");
}
