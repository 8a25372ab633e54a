import { type Parts, reduceParts } from "@cogency/protocol/parts";
import { elementOf } from "./element-of.ts";
import { post } from "./post.ts";

const log = byId("parts", HTMLElement);
const form = byId("prompt", HTMLFormElement);
const input = form.elements.namedItem("content") as HTMLInputElement;
const cancel = byId("cancel", HTMLButtonElement);
const status = byId("status", HTMLElement);
const problem = byId("problem", HTMLElement);

let parts: Parts = [];
let isDrawn = true;

// Connects again by itself, and then names the last event that it has.
const events = new EventSource("/events?after=0");
events.onopen = draw;
events.onerror = draw;
events.onmessage = ({ data }) => {
  parts = reduceParts(parts, JSON.parse(data));
  if (isDrawn) requestAnimationFrame(draw);
  isDrawn = false;
};

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const content = input.value;
  tell(async () => {
    await post({ kind: isIdle() ? "prompt" : "steer", content });
    if (input.value === content) input.value = "";
  });
});
cancel.addEventListener("click", () => tell(() => post({ kind: "cancel" })));

function draw(): void {
  isDrawn = true;
  const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 40;
  show(parts.map((part) => elementOf(part, (answer) => tell(() => post(answer)))));
  status.textContent = statusText();
  cancel.hidden = isIdle();
  if (isAtEnd) scrollTo(0, document.documentElement.scrollHeight);
}

/** Changes only what is new: what a person types or has in focus stays. */
function show(elements: readonly HTMLElement[]): void {
  const kept = new Set<Element>(elements);
  for (const element of [...log.children]) if (!kept.has(element)) element.remove();
  for (const [i, element] of elements.entries()) {
    const there = log.children[i] ?? null;
    if (there !== element) log.insertBefore(element, there);
  }
}

/** Whether the next words begin a turn. Otherwise the agent reads them in the middle of this one. */
function isIdle(): boolean {
  const last = parts.at(-1);
  return last === undefined || last.type === "end";
}

function statusText(): string {
  if (events.readyState === EventSource.CLOSED) return "The connection is lost. Reload the page.";
  if (events.readyState === EventSource.CONNECTING) return "Connecting…";
  if (isIdle()) return "Ready.";
  const last = parts.at(-1);
  if (last?.type === "notice") {
    if (last.parked) return "Nothing happens here until the service is mended.";
    return last.retryAt === undefined
      ? "What you write begins another try."
      : "Waits. What you write begins a try at once.";
  }
  const isAsked = parts.some((part) => part.type === "question" && part.open);
  return isAsked
    ? "Waits for your answer. What you write is read after it."
    : "Works. What you write is read before its next step.";
}

/** Shows why something could not be posted. Returns whether it was. */
async function tell(posting: () => Promise<void>): Promise<boolean> {
  problem.hidden = true;
  try {
    await posting();
    input.focus();
    return true;
  } catch (error) {
    problem.textContent = `Not sent: ${error instanceof Error ? error.message : error}`;
    problem.hidden = false;
    return false;
  }
}

function byId<Type extends HTMLElement>(id: string, type: new () => Type): Type {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`The page has no #${id}.`);
  return found;
}
