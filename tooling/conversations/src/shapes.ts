import { callOf } from "@cogency/protocol";
import { type Piece, partsOf } from "@cogency/protocol/parts";
import type { StoredEvent } from "@cogency/storage";
import { logOf } from "./index.ts";
import type { RecordedConversation } from "./recorded-conversation.ts";

type Record = Extract<StoredEvent, { type: "record" }>;

/** What a conversation holds, in words that a test can ask for: `record question`, `piece args`, `run completed`. */
export function shapesOf(conversation: RecordedConversation): string[] {
  const log = logOf(conversation);
  const shapes = conversation.items.flatMap((item) =>
    item.type === "event" ? shapesOfEvent(item.event) : item.pieces.flatMap(shapesOfPiece),
  );
  if (!log.some((event) => event.type === "record" && event.kind === "run")) shapes.push("no run");
  if (partsOf(log).some((part) => part.type === "question" && part.open)) shapes.push("open question");
  return [...new Set(shapes)];
}

function shapesOfPiece(piece: Piece): string[] {
  const isTags = piece.type === "args" && piece.text.startsWith("<");
  return [`piece ${piece.type}`, ...(isTags ? ["arguments as tags"] : [])];
}

function shapesOfEvent(event: StoredEvent): string[] {
  switch (event.type) {
    case "record":
      return [`record ${event.kind}`, ...shapesOfRecord(event)];
    case "user":
      return [
        "user",
        ...(event.origin ? [`user ${event.origin}`] : []),
        ...(event.sources ? ["notice of sources"] : []),
        ...(event.sources?.some(({ count }) => count > 1) ? ["merged notices"] : []),
        ...(event.attachments ? ["prompt with attachments"] : []),
      ];
    case "call":
      return ["call", `call ${callOf(event).name}`];
    case "result":
      return [
        "result",
        `batch of ${event.ids?.length}`,
        ...(event.payload.success_count > 0 ? ["result success"] : []),
        ...(event.payload.failure_count > 0 ? ["result failure"] : []),
      ];
    default:
      return [event.type];
  }
}

function shapesOfRecord(record: Record): string[] {
  switch (record.kind) {
    case "message":
      return [`message ${record.data.kind}`];
    case "request":
      return [`driver ${record.data.driver}`];
    case "run":
      return [`run ${record.data.status}`];
    case "approval":
      return [`approval ${record.data.status}`];
    case "question":
      return [
        `asks ${record.data.asks}`,
        ...(record.data.agents ? ["question of an agent"] : []),
        ...(record.data.client ? ["asks the client"] : []),
      ];
    case "notice":
      return record.data.parked ? ["notice parked"] : [];
    case "finished":
      return record.data.result.attachments ? ["result with attachments"] : [];
    default:
      return [];
  }
}
