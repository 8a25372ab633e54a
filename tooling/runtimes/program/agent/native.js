import { nativeDriver } from "@cogency/agent/native";
import { scripted } from "@cogency/provider";
import { sendReport } from "./send-report.js";

await sendReport((steps) => {
  const replies = steps.map((step) => {
    if (typeof step === "string") return step;
    const { name, args } = step;
    /** @type {import("@cogency/provider").ModelEvent} */
    const call = { type: "tool_call", id: "1", name, arguments: JSON.stringify(args) };
    return { events: [call] };
  });
  const provider = scripted(replies, { chunkSize: 3, capabilities: { tools: true } });
  return { driver: nativeDriver(), provider };
});
