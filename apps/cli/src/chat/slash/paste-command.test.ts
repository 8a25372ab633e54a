import { rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { fakeWayland, png } from "../../../test/support/fake-clipboard.ts";
import { conversationWith } from "../../../test/support/scripted-conversation.ts";

beforeEach(() => {
  for (const name of ["WAYLAND_DISPLAY", "DISPLAY", "WSL_DISTRO_NAME", "WSL_INTEROP"]) vi.stubEnv(name, "");
  onTestFinished(() => void vi.unstubAllEnvs());
});

function withClipboard(content: { text?: string; isPicture?: true }, steps: string[] = []) {
  const talk = conversationWith(steps);
  const picture = join(talk.root, "picture");
  writeFileSync(picture, png);
  const bin = join(talk.root, "..", `${basename(talk.root)}-bin`);
  onTestFinished(() => rmSync(bin, { recursive: true, force: true }));
  fakeWayland(bin, content.isPicture ? { picture } : { text: content.text ?? "" });
  vi.stubEnv("PATH", `${bin}:${process.env.PATH}`);
  vi.stubEnv("WAYLAND_DISPLAY", "w");
  Object.assign(talk.provider.capabilities, { attachments: ["image"] });
  return talk;
}

describe.skipIf(process.platform !== "linux")("/paste", () => {
  it("types a mark for a picture, which goes with the prompt that holds the mark", async () => {
    const { conversation, inserted, provider, idle } = withClipboard({ isPicture: true }, ["One.", "Two."]);
    await conversation.command("paste");
    expect(inserted).toEqual(["[picture 1, png, 2 KB]"]);
    conversation.submit("Nothing to see.");
    await vi.waitFor(() => expect(provider.requests).toHaveLength(1), { timeout: 60_000 });
    await idle();
    conversation.submit(`What is this? ${inserted[0]}`);
    await vi.waitFor(() => expect(provider.requests).toHaveLength(2), { timeout: 60_000 });
    await idle();
    const [first, second] = provider.requests.map((request) => JSON.stringify(request.messages.at(-1)));
    expect(first).not.toContain("image/png");
    expect(second).toContain(`"data":"${png.toString("base64")}"`);
  });

  it("types a text", async () => {
    const { conversation, inserted } = withClipboard({ text: "some words" });
    await conversation.command("paste");
    expect(inserted).toEqual(["some words"]);
  });

  it("asks the terminal only where this machine has no clipboard and the person has allowed it", async () => {
    const { conversation, inserted, shown } = conversationWith([]);
    await conversation.command("paste");
    expect(shown.at(-1)).toMatch(/^There is no clipboard here/);
    expect(inserted).toEqual([]);
    conversation.session.choice = { ...conversation.session.choice, terminalClipboard: true };
    await conversation.command("paste");
    expect(inserted).toEqual(["from the terminal"]);
  });

  it("says a prompt with a picture after the answer, since what is said in the middle of a turn is text", async () => {
    const talk = withClipboard({ isPicture: true }, ["One.", "Two."]);
    const { conversation, inserted, provider, idle } = talk;
    await conversation.command("paste");
    conversation.submit("begin");
    conversation.submit(`And this? ${inserted[0]}`);
    expect(conversation.state).toMatchObject({ steers: [], queue: [`And this? ${inserted[0]}`] });
    await vi.waitFor(() => expect(provider.requests).toHaveLength(2), { timeout: 60_000 });
    await idle();
    expect(JSON.stringify(provider.requests[1]?.messages.at(-1))).toContain("image/png");
  });

  it("has the picture again where the prompt is changed that it went with", async () => {
    const talk = withClipboard({ isPicture: true }, ["One.", "Two."]);
    const { conversation, inserted, givenBack, provider, idle } = talk;
    await conversation.command("paste");
    conversation.submit(`What is this? ${inserted[0]}`);
    await vi.waitFor(() => expect(provider.requests).toHaveLength(1), { timeout: 60_000 });
    await idle();
    await conversation.command("back", "1");
    expect(givenBack).toEqual([`What is this? ${inserted[0]}`]);
    conversation.submit(`${givenBack[0]} In colour?`);
    await vi.waitFor(() => expect(provider.requests).toHaveLength(2), { timeout: 60_000 });
    await idle();
    expect(JSON.stringify(provider.requests[1]?.messages.at(-1))).toContain("image/png");
  });
});
