import { partsOf } from "@cogency/protocol/parts";
import { createElement, memo, Profiler, startTransition, useState } from "react";
import { renderToString } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { eventually, hydrate, mount, mountAlone } from "../test/support/mount.ts";
import { site } from "../test/support/site.ts";
import { type ConversationView, useConversation } from "./index.ts";

type Site = ReturnType<typeof site>;

/** A component that shows the texts of a conversation, and what its last render got. */
function chat({ client }: Pick<Site, "client">) {
  const seen: ConversationView[] = [];
  function Chat({ id }: { id: string }) {
    const view = useConversation(client, id);
    seen.push(view);
    const texts = view.parts.map((part) => ("content" in part ? `${part.type}: ${part.content}` : part.type));
    return createElement("p", null, [view.status, ...texts].join("\n"));
  }
  return {
    Chat,
    seen,
    last: () => seen.at(-1) as ConversationView,
    page: (id: string) => createElement(Chat, { id }),
  };
}

describe("useConversation", () => {
  it("shows what was said, and what is said from then on", async () => {
    const place = site(["Hello, Ada.<end>", "Hello again.<end>"]);
    const { page, last } = chat(place);
    const { html } = await mount(page("c"));
    await last().send("Hi.");
    await eventually(() => expect(html.textContent).toContain("text: Hello, Ada."));
    await last().send("And again?");
    await eventually(() => expect(html.textContent).toMatch(/^idle\n.*\ntext: Hello again\./s));
    expect(last().parts).toEqual(partsOf(await place.store.load({ user: "ada", conversation: "c" })));
  });

  it("has one stream in StrictMode, which mounts twice, and one for two components", async () => {
    const place = site(["Hello.<end>"]);
    const { page, last } = chat(place);
    await mount(createElement("div", null, page("c"), page("c")));
    await eventually(() => expect(last().status).toBe("idle"));
    await last().send("Hi.");
    await eventually(() => expect(last().parts).toHaveLength(3));
    expect(place.requests.filter((request) => request === "GET conversations/c/events")).toHaveLength(1);
  });

  it("follows the other conversation when its id changes, and shows nothing of the one before", async () => {
    const place = site(["The first.<end>", "The second.<end>"]);
    const { page, seen, last } = chat(place);
    const { html, render } = await mount(page("one"));
    await last().send("Begin.");
    await eventually(() => expect(html.textContent).toContain("The first."));
    const before = seen.length;
    await render(page("two"));
    expect(seen[before]).toMatchObject({ id: "two", parts: [], status: "loading" });
    await last().send("Begin.");
    await eventually(() => expect(html.textContent).toContain("The second."));
    expect(seen.slice(before).some(({ parts }) => JSON.stringify(parts).includes("The first."))).toBe(false);
    await eventually(() => expect(place.open).toEqual(["conversations/two/events"]));
  });

  it("sends a message although the component has gone, and then follows no more", async () => {
    const place = site(["Hello.<end>"]);
    const { page, last } = chat(place);
    const { unmount } = await mount(page("c"));
    const sent = last().send("Hi.");
    await unmount();
    await sent;
    await eventually(() => expect(place.open).toEqual([]));
    await expect
      .poll(async () => JSON.stringify(await place.store.load({ user: "ada", conversation: "c" })))
      .toContain("Hello.");
  });

  it("keeps its functions and the parts that have not changed, so that memo components do not render again", async () => {
    const place = site(["One.<end>", "Two.<end>"]);
    const rendered: string[] = [];
    const Text = memo(function Text({ part }: { part: ConversationView["parts"][number] }) {
      rendered.push(part.type === "text" || part.type === "user" ? part.content : part.type);
      return null;
    });
    const views: ConversationView[] = [];
    function Chat() {
      const view = useConversation(place.client, "c");
      views.push(view);
      return view.parts.map((part, at) => createElement(Text, { part, key: at }));
    }
    await mount(createElement(Chat));
    const { send, approve } = views.at(-1) as ConversationView;
    await send("First.");
    await eventually(() => expect(views.at(-1)?.status).toBe("idle"));
    await eventually(() => expect(rendered).toContain("One."));
    rendered.length = 0;
    await send("Second.");
    await eventually(() => expect(rendered).toContain("Two."));
    expect(rendered).not.toContain("First.");
    expect(rendered).not.toContain("One.");
    expect(views.at(-1)).toMatchObject({ send, approve });
  });

  it("allows a call of a question", async () => {
    const place = site(['<execute>[{"name":"write","args":{"line":"milk"}}]</execute>', "Done.<end>"]);
    const { page, last } = chat(place);
    await mount(page("c"));
    await last().send("Write milk.");
    await eventually(() => expect(last().status).toBe("waiting"));
    const question = last().parts.find(({ type }) => type === "question");
    await last().approve(question?.type === "question" ? question.id : "");
    await eventually(() => expect(last().status).toBe("idle"));
    expect(place.written).toEqual(["milk"]);
  });

  it("asks nothing on a server, where it is loading, and goes on with that page in the browser", async () => {
    const place = site(["Hello.<end>"]);
    const { page, last } = chat(place);
    // Another component has loaded it before this one is hydrated.
    const other = chat(place);
    const text = renderToString(page("c"));
    expect(text).toBe("<p>loading</p>");
    expect(place.requests).toEqual([]);

    await mount(other.page("c"));
    await other.last().send("Hi.");
    await eventually(() => expect(other.last().status).toBe("idle"));
    const errors: unknown[] = [];
    const { html } = await hydrate(text, page("c"), (error) => errors.push(error));
    await eventually(() => expect(html.textContent).toContain("text: Hello."));
    expect(errors).toEqual([]);
    expect(last().parts).toBe(other.last().parts);
  });

  it("shows the same in every component while a transition renders, which takes several frames", async () => {
    const place = site(["One.<end>", "Two.<end>", "Three.<end>"]);
    const conversation = place.client.conversation("c");
    let begin: ((round: number) => void) | undefined;
    function Count({ round }: { round: number }) {
      const until = performance.now() + 3;
      while (performance.now() < until);
      return createElement("b", { title: `${round}` }, useConversation(place.client, "c").parts.length);
    }
    function Page() {
      const [round, setRound] = useState(0);
      begin = setRound;
      return Array.from({ length: 10 }, (_, at) => createElement(Count, { round, key: at }));
    }
    const shown = () => [...html.querySelectorAll("b")].map(({ textContent, title }) => `${textContent} ${title}`);
    const torn: string[][] = [];
    const onRender = () => {
      if (new Set(shown()).size > 1) torn.push(shown());
    };
    const { html } = await mountAlone(createElement(Profiler, { id: "page", onRender }, createElement(Page)));
    await expect.poll(() => shown()).toHaveLength(10);
    for (const [round, words] of ["a", "b", "c"].entries()) {
      const sent = conversation.send(words);
      startTransition(() => begin?.(round + 1));
      await sent;
      await expect.poll(() => shown().at(-1)).toBe(`${3 * (round + 1)} ${round + 1}`);
    }
    expect(torn).toEqual([]);
  });
});
