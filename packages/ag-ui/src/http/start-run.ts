import type { Visit } from "@cogency/server/bridge";
import { newsOf } from "../in/input-posts.ts";
import { readRunInput } from "../in/run-input.ts";
import { AgUiRun } from "../out/ag-ui-run.ts";
import { framesOf, type Tell } from "./frames.ts";

/** `POST prefix`: takes what is new of an input, and answers with the run that comes of it. */
export async function startRun(visit: Visit, tell: Tell): Promise<Response> {
  const input = readRunInput(await visit.readJson());
  const key = visit.keyOf(input.threadId);
  const { events, last } = await visit.read(key);
  const run = new AgUiRun(input);
  run.remember(events.map((event) => ({ type: "event", event })));
  const known = new Set(
    events.map((event) => (event.type === "record" && event.kind === "message" ? event.data.id : undefined)),
  );
  const { posts, ...view } = await newsOf(input, {
    isKnown: (id) => known.has(id) || run.has(id),
    questions: run.questions,
  });
  const ids = posts.map(({ id }) => id);
  const items = visit.turn(key, { after: last, ...(ids.length > 0 && { ids }) });
  // It counts as a stream before anything is posted: a request that is refused has changed nothing.
  const response = visit.stream(framesOf(run, { events: run.start(view), seq: last }, items, tell));
  try {
    for (const post of posts) await visit.post(key, [post]).catch(passIfThere);
  } catch (error) {
    await response.body?.cancel();
    throw error;
  }
  return response;
}

/** The conversation has a message of this id: it came with an earlier request, maybe with another context. The first one counts. */
function passIfThere(error: unknown): void {
  if (!(error instanceof Error) || !("code" in error) || error.code !== "conflict") throw error;
}
