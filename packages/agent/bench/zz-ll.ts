import { longLog } from "./long-log.ts";
import { verdictLine } from "./verdict.ts";

for (const v of await longLog()) console.log(verdictLine(v));
