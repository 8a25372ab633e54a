import type { Attack } from "../../harness/attack.ts";
import { openedPage, requests } from "./opened-page.ts";

export const controls: Attack[] = [
  {
    name: "control: the page itself reads the conversation and writes to it",
    isControl: true,
    isDear: true,
    async run(place) {
      const { origin, cookie, path, ask, wasWritten } = await openedPage(place);
      const headers = { origin, cookie, "content-type": "application/json", "sec-fetch-site": "same-origin" };
      for (const [name, [method, at, body]] of Object.entries(requests)) {
        const answer = await ask(method, `${path}${at}`, headers, body);
        if (answer.status >= 300) return `${name} was answered with ${answer.status}: ${answer.body}`;
        if (method === "GET" && !answer.body.includes(place.canary)) return `${name} did not tell what there is`;
      }
      return (await wasWritten()) ? undefined : "no message was taken";
    },
  },
];
