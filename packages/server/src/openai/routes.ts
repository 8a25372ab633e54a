import type { Visit } from "../bridge/index.ts";
import { jsonResponse } from "../json-response.ts";
import type { AnswerSettings } from "./answer/answer.ts";
import { Completion } from "./answer/completion.ts";
import { Known } from "./answer/known.ts";
import { ResponseAnswer } from "./answer/response.ts";
import { type Sending, sendStream, sendWhole } from "./answer/send-answer.ts";
import { readStored } from "./answer/stored-answer.ts";
import { readChatBody } from "./gate/chat-body.ts";
import { readResponsesBody } from "./gate/responses-body.ts";
import type { OpenAIHandlerOptions } from "./openai-handler-options.ts";
import { type BegunTurn, beginTurn } from "./place/begin-turn.ts";
import { stretchOf } from "./place/find-place.ts";
import { readResponseId, responseId } from "./place/ids.ts";
import type { OneAtATime } from "./place/one-at-a-time.ts";
import type { Asked } from "./said.ts";
import { WireProblem } from "./wire-problem.ts";

/** The options of the handler, all of them. */
export type OpenAIHost = Readonly<
  Pick<OpenAIHandlerOptions, "agent" | "store"> & {
    /** Requests about one conversation find their place one after another. */
    places: OneAtATime;
  } & {
    [Name in "models" | "tools" | "questions" | "whenClientLeaves"]-?: NonNullable<OpenAIHandlerOptions[Name]>;
  }
>;

/** `POST /chat/completions` */
export async function completionOf(host: OpenAIHost, visit: Visit): Promise<Response> {
  const asked = readChatBody(await visit.readJson());
  checkModel(host, asked.model);
  return sent(visit, asked, async () => {
    const turn = await beginTurn(host, visit, asked);
    const settings = settingsOf(host, asked, turn, (message) => `chatcmpl-${message}`);
    return {
      ...host,
      visit,
      turn,
      known: settings.known,
      answer: new Completion(settings, asked.wantsUsage),
      frame: (event) => `data: ${JSON.stringify(event)}\n\n`,
      lastFrame: "data: [DONE]\n\n",
    };
  });
}

/** `POST /responses` */
export async function responseOf(host: OpenAIHost, visit: Visit): Promise<Response> {
  const asked = readResponsesBody(await visit.readJson(), host.models[0] ?? "");
  checkModel(host, asked.model);
  return sent(visit, asked, async () => {
    const turn = await beginTurn(host, visit, asked);
    const { conversation } = turn.key;
    const settings = settingsOf(host, asked, turn, (message) => responseId({ conversation, message }));
    const { instructions, metadata, previous } = asked;
    const answer = new ResponseAnswer(settings, {
      previous_response_id: previous ?? null,
      ...(asked.conversation !== undefined && { conversation: { id: asked.conversation } }),
      instructions,
      metadata,
    });
    return {
      ...host,
      visit,
      turn,
      known: settings.known,
      answer,
      frame: (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
      lastFrame: "",
    };
  });
}

function sent(visit: Visit, { isStreamed }: Asked, begin: () => Promise<Sending>): Promise<Response> {
  return isStreamed ? sendStream(visit, begin) : sendWhole(begin);
}

/** `GET /responses/ID` */
export async function storedResponseOf(host: OpenAIHost, visit: Visit, id: string): Promise<Response> {
  const place = readResponseId(id);
  const { events, state } = place
    ? await visit.read(visit.keyOf(place.conversation))
    : ({ events: [], state: "idle" } as const);
  const stretch = place && stretchOf(events, place.message);
  if (!place || !stretch)
    throw new WireProblem("not_found", `There is no response with the id ${id.slice(0, 80)}.`, {
      code: "response_not_found",
    });
  const known = new Known();
  const created = Math.floor(events.find(({ seq }) => seq === stretch.first)?.timestamp ?? 0);
  const { conversation } = place;
  const settings = { ...host, id, created, model: host.models[0] ?? "", conversation, known };
  const answer = new ResponseAnswer(settings, { previous_response_id: null, instructions: null, metadata: {} });
  readStored({ events, state, stretch }, answer, known);
  return jsonResponse(200, answer.body());
}

/** `GET /models` */
export function modelsOf({ models }: OpenAIHost): Response {
  return jsonResponse(200, { object: "list", data: models.map(modelObject) });
}

/** `GET /models/ID` */
export function modelOf(host: OpenAIHost, _visit: Visit, id: string): Response {
  const model = host.models.find((name) => encodeURIComponent(name) === id || name === id);
  if (model === undefined) throw noModel(host, id);
  return jsonResponse(200, modelObject(model));
}

function modelObject(id: string) {
  return { id, object: "model", created: 0, owned_by: "cogency" };
}

function checkModel(host: OpenAIHost, model: string): void {
  if (!host.models.includes(model)) throw noModel(host, model);
}

function noModel({ models }: OpenAIHost, model: string): WireProblem {
  const message = `There is no model ${JSON.stringify(model.slice(0, 80))}. This server has ${models.join(", ")}.`;
  return new WireProblem("not_found", message, { param: "model", code: "model_not_found" });
}

function settingsOf(
  host: OpenAIHost,
  asked: Asked,
  turn: BegunTurn,
  idOf: (message: string) => string,
): AnswerSettings {
  const { tools, questions } = host;
  return {
    id: idOf(turn.ids[0] ?? ""),
    created: Math.floor(Date.now() / 1000),
    model: asked.model,
    conversation: turn.key.conversation,
    tools,
    questions,
    known: new Known(),
  };
}
