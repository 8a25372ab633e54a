import { describe, expect, it } from "vitest";
import { quickServer } from "../../../test/support/mcp-places.ts";
import { conversationWith } from "../../../test/support/scripted-conversation.ts";
import { testHome } from "../../../test/support/test-home.ts";

/** A chat of a person who has these servers. */
function chatWith(servers: object) {
  testHome().put(".config/cogency/config.json", JSON.stringify({ mcp: { servers } }));
  return conversationWith(["Done.<end>"]);
}

describe("/mcp", () => {
  it("says how each server is, and why", async () => {
    const { conversation, shown } = chatWith({ docs: quickServer(), gone: { command: "no-such-program" } });
    await conversation.command("mcp");
    expect(shown).toContain("docs: ready, 1 tool · yours");
    expect(shown).toContain(
      "gone: failed: its program cannot be started: there is no program no-such-program on the PATH. · yours",
    );
    expect(shown.at(-1)).toBe(
      "To try it again now: /mcp reconnect gone. Its log: cogency mcp logs gone, outside of the chat.",
    );
    await conversation.close();
  });

  it("says what can be typed for words that it does not know", async () => {
    const { conversation, shown } = chatWith({ docs: quickServer() });
    for (const words of ["reconect docs", "reconnect"]) {
      await conversation.command("mcp", words);
      expect(shown.at(-1)).toContain("Write /mcp, /mcp <name>, /mcp reconnect <name> or /mcp login <name>.");
    }
    await conversation.close();
  });

  it("shows all about one server, and names the nearest for one that there is not", async () => {
    const { conversation, shown } = chatWith({ docs: quickServer() });
    await conversation.command("mcp", "reconnect docs");
    expect(shown.at(-1)).toBe("docs: ready, 1 tool");
    await conversation.command("mcp", "docs");
    expect(shown).toEqual(
      expect.arrayContaining(["state: ready, 1 tool", "from: yours", "says it is: docs 1.2.3", "tools: docs__add"]),
    );
    await conversation.command("mcp", "dosc");
    expect(shown.at(-1)).toContain('There is no server "dosc". Did you mean docs?');
    await conversation.command("mcp", "login docs");
    expect(shown.at(-1)).toContain("The server docs takes no login: it is a program on this machine.");
    await conversation.close();
  });

  it("adds the tools of its servers to those that /tools shows", async () => {
    const { conversation, shown } = chatWith({ docs: quickServer() });
    await conversation.command("mcp");
    await conversation.command("tools");
    expect(shown).toContainEqual(expect.stringMatching(/^docs__add: docs \(MCP server\) · .*Adds two numbers/));
    await conversation.close();
  });

  it("says how to add one where there is none", async () => {
    const { conversation, shown } = chatWith({});
    await conversation.command("mcp");
    expect(shown.at(-1)).toContain("There are no servers here. To add one");
    await conversation.close();
  });
});
