import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { eventually, mount } from "../test/support/mount.ts";
import { site } from "../test/support/site.ts";
import { type ConversationsView, useConversations } from "./index.ts";

function list(client: ReturnType<typeof site>["client"]) {
  const seen: ConversationsView[] = [];
  function List() {
    const view = useConversations(client);
    seen.push(view);
    return createElement("p", null, view.status, view.conversations.map(({ title }) => ` ${title}`).join());
  }
  return { List, last: () => seen.at(-1) as ConversationsView };
}

describe("useConversations", () => {
  it("lists the conversations, the latest first, and those that come", async () => {
    const { client, requests } = site(["Hello.<end>", "Hello.<end>"]);
    await client.conversation("one").send("The first.");
    const { List, last } = list(client);
    const { html } = await mount(createElement(List));
    await eventually(() => expect(html.textContent).toBe("ready The first."));
    const { more, reconnect } = last();
    await client.conversation("two").send("The second.");
    await eventually(() => expect(html.textContent).toContain(" The second., The first."));
    expect(last()).toMatchObject({ more, reconnect });
    expect(requests.filter((request) => request === "GET changes")).toHaveLength(1);
  });

  it("asks nothing on a server", () => {
    const { client, requests } = site();
    expect(renderToString(createElement(list(client).List))).toBe("<p>loading</p>");
    expect(requests).toEqual([]);
  });
});
