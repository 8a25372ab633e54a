import type { Part } from "@cogency/client";
import { partsOf } from "@cogency/protocol/parts";
import { createElement, Profiler, startTransition } from "react";
import { renderToString } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { chatOf } from "../test/support/chat.ts";
import { MemoPage } from "../test/support/memo-page.ts";
import { hydrate, mount } from "../test/support/mount.ts";
import { site } from "../test/support/site.ts";
import { SlowPage } from "../test/support/slow-page.ts";
import type { ConversationView } from "./index.ts";

const logOf = ({ store }: ReturnType<typeof site>) => store.load({ user: "ada", conversation: "c" });

describe("useConversation", () => {
  it("shows what was said, and what is said from then on", async () => {
    const place = site(["Hello, Ada.<end>", "Hello again.<end>"]);
    const { page, last } = chatOf(place);
    const { html } = mount(page("c"));
    await last().send("Hi.");
    await expect.poll(() => html.textContent).toContain("text: Hello, Ada.");
    await last().send("And again?");
    await expect.poll(() => html.textContent).toMatch(/^idle\n.*\ntext: Hello again\./s);
    expect(last().parts).toEqual(partsOf(await logOf(place)));
  });

  it("has one stream in StrictMode, which mounts twice, and one for two components", async () => {
    const place = site(["Hello.<end>"]);
    const { page, last } = chatOf(place);
    mount(createElement("div", null, page("c"), page("c")));
    await expect.poll(() => last().status).toBe("idle");
    await last().send("Hi.");
    await expect.poll(() => last().parts).toHaveLength(3);
    expect(place.requests.filter((request) => request === "GET conversations/c/events")).toHaveLength(1);
  });

  it("follows the other conversation when its id changes, and shows nothing of the one before", async () => {
    const place = site(["The first.<end>", "The second.<end>"]);
    const { page, seen, last } = chatOf(place);
    const { html, render } = mount(page("one"));
    await last().send("Begin.");
    await expect.poll(() => html.textContent).toContain("The first.");
    const before = seen.length;
    render(page("two"));
    expect(seen[before]).toMatchObject({ id: "two", parts: [], status: "loading" });
    await last().send("Begin.");
    await expect.poll(() => html.textContent).toContain("The second.");
    expect(seen.slice(before).some(({ parts }) => JSON.stringify(parts).includes("The first."))).toBe(false);
    await expect.poll(() => place.open).toEqual(["conversations/two/events"]);
  });

  it("sends a message although the component has gone, and then follows no more", async () => {
    const place = site(["Hello.<end>"]);
    const { page, last } = chatOf(place);
    const { unmount } = mount(page("c"));
    const sent = last().send("Hi.");
    unmount();
    await sent;
    await expect.poll(() => place.open).toEqual([]);
    await expect.poll(async () => JSON.stringify(await logOf(place))).toContain("Hello.");
  });

  it("keeps its functions and the parts that have not changed, so that memo components do not render again", async () => {
    const place = site(["One.<end>", "Two.<end>"]);
    const rendered: Part[] = [];
    const seen: ConversationView[] = [];
    const last = () => seen.at(-1) as ConversationView;
    const onPart = (part: Part) => void rendered.push(part);
    mount(createElement(MemoPage, { client: place.client, seen, onPart }));
    const { send, approve } = last();
    await send("First.");
    await expect.poll(() => last().parts.at(-1)).toMatchObject({ type: "end" });
    const before = [...last().parts];
    rendered.length = 0;
    await send("Second.");
    await expect.poll(() => last().parts).toHaveLength(6);
    expect(rendered.length).toBeGreaterThan(0);
    expect(rendered.filter((part) => before.includes(part))).toEqual([]);
    expect(last()).toMatchObject({ send, approve });
  });

  it("allows a call of a question", async () => {
    const place = site(['<execute>[{"name":"write","args":{"line":"milk"}}]</execute>', "Done.<end>"]);
    const { page, last } = chatOf(place);
    mount(page("c"));
    await last().send("Write milk.");
    await expect.poll(() => last().status).toBe("waiting");
    const question = last().parts.find((part) => part.type === "question");
    await last().approve(question?.id ?? "");
    await expect.poll(() => last().parts.at(-1)).toMatchObject({ type: "end", status: "completed" });
    expect(place.written).toEqual(["milk"]);
  });

  it("asks nothing on a server, where it is loading, and goes on with that page in the browser", async () => {
    const place = site(["Hello.<end>"]);
    const { page, last } = chatOf(place);
    const text = renderToString(page("c"));
    expect(text).toBe("<p>loading</p>");
    expect(place.requests).toEqual([]);

    // Another component has loaded the conversation before this one is hydrated.
    const other = chatOf(place);
    mount(other.page("c"));
    await other.last().send("Hi.");
    await expect.poll(() => other.last().parts).toHaveLength(3);
    const errors: unknown[] = [];
    const { html } = hydrate(text, page("c"), (error) => errors.push(error));
    await expect.poll(() => html.textContent).toContain("text: Hello.");
    expect(errors).toEqual([]);
    expect(last().parts).toBe(other.last().parts);
  });

  it("shows the same in every component while a transition renders, which takes several frames", async () => {
    const { client } = site(["One.<end>", "Two.<end>", "Three.<end>"]);
    const shown = () => [...document.querySelectorAll("b")].map(({ textContent }) => textContent);
    const torn: unknown[] = [];
    const onRender = () => {
      if (new Set(shown()).size > 1) torn.push(shown());
    };
    let begin: (round: number) => void = () => {};
    const onReady = (set: typeof begin) => {
      begin = set;
    };
    mount(createElement(Profiler, { id: "page", onRender }, createElement(SlowPage, { client, onReady })));
    for (const [round, words] of ["a", "b", "c"].entries()) {
      const sent = client.conversation("c").send(words);
      startTransition(() => begin(round + 1));
      await sent;
      const all = Array(10).fill(`${3 * (round + 1)} in ${round + 1}`);
      await expect.poll(() => shown()).toEqual(all);
    }
    expect(torn).toEqual([]);
  });
});
