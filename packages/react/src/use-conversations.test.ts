import type { Client } from "@cogency/client";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { mount } from "../test/support/mount.ts";
import { site } from "../test/support/site.ts";
import { type ConversationsView, useConversations } from "./index.ts";

function List({ client, seen }: { client: Client; seen: ConversationsView[] }) {
  const view = useConversations(client);
  seen.push(view);
  return createElement("p", null, [view.status, ...view.conversations.map(({ title }) => title)].join());
}

describe("useConversations", () => {
  it("lists the conversations, the latest first, and those that come", async () => {
    const { client, requests } = site(["Hello.<end>", "Hello.<end>"]);
    await client.conversation("one").send("The first");
    const seen: ConversationsView[] = [];
    const { html } = mount(createElement(List, { client, seen }));
    await expect.poll(() => html.textContent).toBe("ready,The first");
    const { more, reconnect } = seen.at(-1) as ConversationsView;
    await client.conversation("two").send("The second");
    await expect.poll(() => html.textContent).toContain("The second,The first");
    expect(seen.at(-1)).toMatchObject({ more, reconnect });
    expect(requests.filter((request) => request === "GET changes")).toHaveLength(1);
  });

  it("asks nothing on a server", () => {
    const { client, requests } = site();
    expect(renderToString(createElement(List, { client, seen: [] }))).toBe("<p>loading</p>");
    expect(requests).toEqual([]);
  });
});
