import * as protocol from "@cogency/protocol";
import * as testkit from "@cogency/protocol/testkit";
import { report } from "./report.js";

console.log(JSON.stringify(await report("ES module", protocol, testkit)));
