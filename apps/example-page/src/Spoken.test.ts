import type { Part } from "@cogency/client";
import { createElement } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { Spoken } from "./Spoken.tsx";

/** What a screen reader has said after each list of parts: a live region says what is added. */
function listener() {
  const html = document.body.appendChild(document.createElement("div"));
  const root = createRoot(html);
  onTestFinished(() => {
    root.unmount();
    html.remove();
  });
  const heard = new Set<Element>();
  return (parts: readonly Part[], isLoaded = true): string[] => {
    flushSync(() => root.render(createElement(Spoken, { parts, isLoaded })));
    const news = [...html.querySelectorAll("[role=log] p")].filter((one) => !heard.has(one));
    for (const one of news) heard.add(one);
    return news.map(({ textContent }) => textContent ?? "");
  };
}

const user: Part = { type: "user", content: "Go." };
const open = (content: string): Part => ({ type: "text", content, open: true });

describe("Spoken", () => {
  it("says whole sentences, each once, and the last one when the text has ended", () => {
    const hear = listener();
    hear([]);
    const text = "Hello, Ada. How are you? Fine";
    const heard = Array.from(text, (_, at) => hear([user, open(text.slice(0, at + 1))])).flat();
    expect(heard).toEqual(["Hello, Ada.", "How are you?"]);
    expect(hear([user, { type: "text", content: text }])).toEqual(["Fine"]);
  });

  it("does not read out what was there when the page was opened", () => {
    const hear = listener();
    const old: Part[] = [user, { type: "text", content: "Old words." }];
    expect(hear([], false)).toEqual([]);
    expect(hear(old, false)).toEqual([]);
    expect(hear(old)).toEqual([]);
    expect(hear([...old, user, { type: "text", content: "New words." }])).toEqual(["New words."]);
  });

  it("leaves out the marks of Markdown", () => {
    const hear = listener();
    hear([]);
    const content = "# Notes\n\n- `list.txt` is **new**\n\n```\nmilk\n```";
    expect(hear([user, { type: "text", content }])).toEqual(["Notes", "list.txt is new", "milk"]);
  });

  it("says what is asked", () => {
    const hear = listener();
    hear([]);
    const question = { type: "question", id: "q", call: "c", name: "write", asks: "approval", concerns: [] } as const;
    expect(hear([user, { ...question, touches: ["file:a.txt"], open: true }])).toEqual([
      "May write run on file:a.txt?",
    ]);
  });
});
