import { runtime } from "../report.js";
import { runsOf } from "./runs.js";

/**
 * Sends the report of the runs to the server of the page.
 *
 * @param {Parameters<typeof runsOf>[0]} modelOf
 */
export async function sendReport(modelOf) {
  const how = "document" in globalThis ? "page" : "worker";
  const report = { ...(await runtime()), how, ...(await runsOf(modelOf)) };
  await fetch("/report", { method: "POST", body: JSON.stringify(report) });
}
