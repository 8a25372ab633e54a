import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Attack } from "../../harness/attack.ts";
import { askVictim, ownKey } from "./ask-victim.ts";
import type { Redirect } from "./redirects.ts";

export function redirectAttack({ name, provider, status, to }: Redirect): Attack {
  return {
    name: `redirect, ${provider}: ${name}`,
    isDear: true,
    async run(place) {
      const stolen: string[] = [];
      const other = await place.serve(thief(stolen));
      let own = 0;
      let first = true;
      const listener: RequestListener = (request, response) => {
        const isElsewhere = request.url === "/elsewhere" || request.headers.host?.startsWith("localhost");
        if (isElsewhere) return thief(stolen)(request, response);
        const target = request.url === "/v1/again" ? `http://127.0.0.1:${other}/x` : to(own, other);
        first = false;
        request.resume().once("end", () => response.writeHead(status, { location: target }).end());
      };
      own = await place.serve(listener);
      const how = provider === "realtime" ? "connect" : "stream";
      const report = await askVictim(place, [provider, how, `http://127.0.0.1:${own}/v1`]);
      if (typeof report === "string") return report;
      if (first && provider !== "realtime") throw new Error(`The server was not asked: ${report.told.slice(0, 200)}`);
      return stolen.length > 0 ? `the other server got ${stolen.join(" ").slice(0, 100)}` : undefined;
    },
  };
}

/** Records what each request contains. */
function thief(stolen: string[]): RequestListener {
  return (request: IncomingMessage, response: ServerResponse) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.once("end", () => {
      const key = JSON.stringify(request.headers).includes(ownKey) ? "the key" : "";
      const words = body.includes("secret words") ? "the conversation" : "";
      stolen.push(key || words || "a request");
      response.writeHead(400).end("{}");
    });
  };
}
