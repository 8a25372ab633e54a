import { serveWorker } from "../../src/testkit/index.ts";
import { openElsewhere } from "./open-elsewhere.ts";

await serveWorker(openElsewhere);
