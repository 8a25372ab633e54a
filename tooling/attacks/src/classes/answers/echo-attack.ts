import type { Attack } from "../../harness/attack.ts";
import { askVictim, ownKey } from "./ask-victim.ts";
import type { Echo } from "./echoes.ts";

export function echoAttack([name, provider, answer]: Echo): Attack {
  return {
    name: `echoed key, ${provider}: ${name}`,
    isDear: true,
    async run(place) {
      const port = await place.serve((request, response) => {
        const { authorization = "", "x-goog-api-key": own } = request.headers;
        const given = /[\w-]+$/.exec(authorization)?.[0] ?? String(own ?? request.headers["x-api-key"] ?? "");
        request.resume().once("end", () => answer(given, response));
      });
      const report = await askVictim(place, [provider, "stream", `http://127.0.0.1:${port}/v1`]);
      if (typeof report === "string") return report;
      if (report.told === "") throw new Error("The answer was taken for a good one.");
      return report.told.includes(ownKey) ? `the error holds the key: ${report.code}` : undefined;
    },
  };
}
