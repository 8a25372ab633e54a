import type { Attack } from "../../harness/attack.ts";
import type { Intrusion } from "./intrusions.ts";
import { openedPage, requests } from "./opened-page.ts";

/** No answer may hold what the conversation holds, nothing may be written, and nobody may get in with a token that was used. */
export function intrusionAttack([name, names, headers, path]: Intrusion): Attack {
  return {
    name: `a request with ${name}`,
    isDear: true,
    async run(place) {
      const page = await openedPage(place);
      const below = path?.(page) ?? page.path;
      const sent = { "content-type": "application/json", ...headers(page) };
      for (const request of names) {
        const [method, at, body] = requests[request];
        const answer = await page.ask(method, `${below}${at}`, sent, body);
        if (answer.body.includes(place.canary)) return `${request} told what the conversation holds`;
        if (answer.status < 400) return `${request} was answered with ${answer.status}`;
      }
      const again = await page.ask("POST", "/session", { ...sent, authorization: `Bearer ${page.token}` });
      if (/set-cookie/.test(again.headers)) return "the token let somebody in again";
      return (await page.wasWritten()) ? "a message was taken" : undefined;
    },
  };
}
