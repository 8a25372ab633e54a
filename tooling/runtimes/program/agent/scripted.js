import { scriptedDriver } from "@cogency/agent/scripted";
import { sendReport } from "./send-report.js";

await sendReport((steps) => scriptedDriver(steps.map((step) => (typeof step === "string" ? step : { calls: [step] }))));
