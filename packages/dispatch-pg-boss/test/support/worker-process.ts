import { serveWorker } from "@cogency/worker/testkit";
import { open } from "./open.ts";

await serveWorker(open);
