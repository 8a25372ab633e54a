import type { Attachment, ModelMessage } from "@cogency/protocol";
import { assert } from "@cogency/protocol/testkit";
import type { ProviderCase } from "../provider-case.ts";
import { lookup } from "../samples.ts";
import { readStream } from "../stream-content.ts";
import { eventsOf, type WireSubject } from "../subject.ts";

const image: Attachment = { kind: "image", mediaType: "image/png", data: "Y2FuYXJ5LWltYWdl", name: "canary.png" };
const file: Attachment = { kind: "file", mediaType: "application/pdf", data: "Y2FuYXJ5LWZpbGU=", name: "canary.pdf" };

/** Attachments that reach the server. */
export const attachmentCases: ProviderCase[] = [
  {
    name: "the request carries the attachments of a message after its text",
    on: "wire",
    needs: ["attachments"],
    async check(subject) {
      for (const attachment of takenBy(subject)) {
        const content = [{ kind: "text" as const, text: "canary question" }, attachment];
        const body = await bodyOf(subject, [{ role: "user", content }]);
        const [asked, given] = [body.indexOf("canary question"), body.indexOf(String(attachment.data))];
        assert(given > asked && asked >= 0, `The body must hold the text and then ${attachment.data}. It is ${body}`);
        assert(body.includes(attachment.mediaType), `The body must hold ${attachment.mediaType}. It is ${body}`);
      }
    },
  },
  {
    name: "the request carries an attachment without a text",
    on: "wire",
    needs: ["attachments"],
    async check(subject) {
      for (const attachment of takenBy(subject)) {
        const body = await bodyOf(subject, [{ role: "user", content: [attachment] }]);
        assert(body.includes(String(attachment.data)), `The body must hold ${attachment.data}. It is ${body}`);
      }
    },
  },
  {
    name: "the request carries the attachments of results",
    on: "wire",
    needs: ["attachments", "tools"],
    async check(subject) {
      const attachments = takenBy(subject);
      const ids = ["call_a", "call_b"];
      const calls = ids.map((id) => ({ id, name: lookup.name, args: { topic: "owls" } }));
      const results = ids.map((id) => ({
        id,
        name: lookup.name,
        content: `result of ${id}`,
        failed: false,
        attachments,
      }));
      const body = await bodyOf(subject, [
        { role: "user", content: "Look." },
        { role: "assistant", content: "", calls },
        { role: "tool", results },
      ]);
      for (const { data } of attachments) {
        const count = body.split(String(data)).length - 1;
        assert(count === 2, `Both results have ${data}, so the body must hold it twice. It is ${body}`);
      }
      for (const id of ids)
        assert(body.includes(`result of ${id}`), `The body must hold "result of ${id}". It is ${body}`);
    },
  },
  {
    name: "the address of an attachment is passed to the server or refused, and never fetched",
    on: "wire",
    needs: ["attachments"],
    async check(subject) {
      const url = `${subject.server.url}/canary-address`;
      for (const attachment of takenBy(subject)) {
        const before = subject.server.exchanges.length;
        const messages: ModelMessage[] = [{ role: "user", content: [{ ...attachment, data: { url } }] }];
        const stream = subject.answering().stream({ system: "", messages, tools: [lookup] });
        const { error } = await readStream(stream, subject.patience);
        const made = subject.server.exchanges.slice(before).map(({ request }) => request);
        assert(
          made.every(({ path }) => !path.includes("canary-address")),
          "The address was fetched. Whoever names an address could have this machine ask any server.",
        );
        if (error !== undefined) {
          const { code } = error as { code?: unknown };
          assert(
            code === "unsupported",
            `An address that the wire cannot hold must be \`unsupported\`, not ${String(error)}`,
          );
          continue;
        }
        const body = made.at(-1)?.body ?? "";
        assert(body.includes("canary-address"), `The body must hold the address. It is ${body}`);
      }
    },
  },
];

/** One attachment of each kind that the provider takes. */
function takenBy(subject: WireSubject): Attachment[] {
  const { attachments = [] } = subject.answering().capabilities;
  return [image, file].filter(({ kind }) => attachments.includes(kind));
}

async function bodyOf(subject: WireSubject, messages: readonly ModelMessage[]): Promise<string> {
  await eventsOf(subject, subject.answering().stream({ system: "", messages, tools: [lookup] }), "the answer");
  return subject.server.exchanges.at(-1)?.request.body ?? "";
}
