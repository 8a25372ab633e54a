import { reactDriver } from "@cogency/agent/react";
import { scripted } from "@cogency/provider";
import { sendReport } from "./send-report.js";

await sendReport((steps) => {
  const decisions = steps.map((step) =>
    JSON.stringify(
      typeof step === "string"
        ? { type: "final_answer", answer: step }
        : { type: "call_tool", tool: step.name, args: step.args },
    ),
  );
  return { driver: reactDriver(), provider: scripted(decisions, { chunkSize: 3 }) };
});
