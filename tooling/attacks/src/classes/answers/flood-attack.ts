import type { Attack } from "../../harness/attack.ts";
import { askVictim, mostGrown } from "./ask-victim.ts";
import type { Flood } from "./floods.ts";

export function floodAttack({ name, provider, how = "stream", write }: Flood): Attack {
  return {
    name: `flood, ${provider}: ${name}`,
    isDear: true,
    async run(place) {
      const port = await place.serve((request, response) => {
        response.on("error", () => {});
        request.resume().once("end", () => write(response));
      });
      const report = await askVictim(place, [provider, how, `http://127.0.0.1:${port}/v1`]);
      if (typeof report === "string") return report;
      if (report.grown > mostGrown) return `memory grew by ${report.grown} MiB`;
      return report.isLong ? "the error holds more than 20,000 characters of it" : undefined;
    },
  };
}
