import { scripted } from "@cogency/provider";
import { sendReport } from "./send-report.js";

/** The driver of the text protocol is the default. */
await sendReport((steps) => {
  const texts = steps.map((step) =>
    typeof step === "string" ? `${step}<end>` : `<execute>${JSON.stringify([step])}</execute>`,
  );
  return { provider: scripted(texts, { chunkSize: 3 }) };
});
