import { killAt } from "./crash/drill.ts";
import { talkLong } from "./long-conversation.ts";
import { drivers } from "./support.ts";

// `pnpm soak` kills the processes of crash.verify.test.ts at every mark, and leads the conversation of long-conversation.test.ts for longer: SOAK_TURNS turns by each driver (2,000 by default). Ends
// with 1 if a request leaves the window, or would be refused, or if a process leaves something half done.
const turns = Number(process.env.SOAK_TURNS ?? 2000);
const window = 4000;
/** More than the work passes. */
const marks = Array.from({ length: 100 }, (_, index) => index + 1);

console.log("agent: processes killed at every stage of a compaction and of a fork");
for (const driver of Object.keys(drivers)) {
  const struck = await killAt(driver, marks);
  console.log(`${driver}: ${struck.length} kills, the last one at "${struck.at(-1)}"`);
}
console.log(`agent: a conversation of ${turns} turns in a window of ${window} tokens`);
for (const driver of Object.keys(drivers)) {
  const { events, requests, summaries, mostTokens, problems, seconds } = await talkLong(driver, turns, window);
  const heap = `${Math.round(process.memoryUsage().heapUsed / 1e6)} MB`;
  console.log(
    `${driver}: ${events} events, ${requests} requests, ${summaries} summaries, at most ${mostTokens} tokens, ${problems.length} invalid, ${seconds.toFixed(1)} s, heap ${heap}`,
  );
  for (const problem of problems.slice(0, 5)) console.log(`  ${problem}`);
  if (problems.length > 0 || mostTokens > window) process.exitCode = 1;
}
