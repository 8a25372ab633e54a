import type { Attachment, ModelMessage } from "@cogency/protocol";
import { scripted } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import { RequestAttachments } from "./attachments.ts";

const picture: Attachment = { kind: "image", mediaType: "image/png", data: "AAAA" };
const shown: ModelMessage = { role: "user", content: [{ kind: "text", text: "Look." }, picture] };
const said = (text: string): ModelMessage => ({ role: "user", content: text });
const provider = scripted([]);
const kept = Array.from({ length: 20 }, (_, at) => said(`${at}`));

const takes = (...kinds: Attachment["kind"][]) => ({
  attachments: { maxBytes: 100, maxRequestBytes: 5, kinds },
  provider,
});

describe("the attachments of requests", () => {
  it("count in every later request, however long ago they were sent", () => {
    const requests = new RequestAttachments();
    for (let length = 0; length < kept.length; length++) {
      const messages = [said("before"), shown, ...kept.slice(0, length), said("made anew")];
      expect(() => requests.check(takes("image"), { messages: [...messages] })).not.toThrow();
    }
    const messages = [said("before"), shown, ...kept];
    expect(() => requests.check(takes(), { messages })).toThrow("takes no attachments");
    expect(() => requests.check(takes("image"), { messages: [...messages, shown] })).toThrow("have 6 bytes");
    expect(() => requests.check(takes("image"), { messages })).not.toThrow();
  });

  it("are read anew where a request begins otherwise than the one before", () => {
    const requests = new RequestAttachments();
    requests.check(takes("image"), { messages: [shown, ...kept] });
    expect(() => requests.check(takes(), { messages: kept.slice(0, 3) })).not.toThrow();
    expect(() => requests.check(takes(), { messages: kept.map((message) => ({ ...message })) })).not.toThrow();
    expect(() => requests.check(takes(), { messages: [shown, ...kept] })).toThrow("takes no attachments");
  });
});
