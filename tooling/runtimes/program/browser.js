// A worker has no import map, so the built files are imported by their paths.
import * as protocol from "../node_modules/@cogency/protocol/dist/index.js";
import * as testkit from "../node_modules/@cogency/protocol/dist/testkit.js";
import { report } from "./report.js";

const how = "document" in globalThis ? "page" : "worker";
await fetch("/report", { method: "POST", body: JSON.stringify(await report(how, protocol, testkit)) });
