import { ChangeReader, type Visit } from "../../bridge/index.ts";
import type { Said, SaidReference } from "../said.ts";
import { WireProblem } from "../wire-problem.ts";
import { conversationOfItem, isUnitId, wireCallId } from "./ids.ts";

/**
 * Puts what answers of ours held in the place of references to it. What a response shows beside its messages and calls, such as reasoning, is
 * left out: the model has written none of it for the next request.
 *
 * @throws WireProblem for an id of nothing that the sender may see
 */
export async function resolveReferences(visit: Visit, said: readonly Said[]): Promise<Said[]> {
  const conversations = new Map<string, Promise<Found[]>>();
  const resolved = said.map(async (one): Promise<readonly Said[]> => {
    if (one.type !== "reference") return [one];
    if (/^(?:rs|mcpr|msg_told)_/.test(one.id)) return [];
    const conversation = conversationOfItem(one.id);
    if (conversation === undefined) throw notFound(one);
    const known = conversations.get(conversation) ?? foundIn(visit, conversation);
    conversations.set(conversation, known);
    const found = (await known).find((item) => item.isNamed(one.id));
    if (!found) throw notFound(one);
    return [found.said(one.param)];
  });
  return (await Promise.all(resolved)).flat();
}

interface Found {
  isNamed(id: string): boolean;
  said(param: string): Said;
}

async function foundIn(visit: Visit, conversation: string): Promise<Found[]> {
  const { events } = await visit.read(visit.keyOf(conversation));
  const changes = new ChangeReader();
  return events
    .flatMap((event) => changes.read({ type: "event", event }))
    .flatMap((change): Found[] => {
      if (change.type === "unit_end") {
        const { id: unit, text = "" } = change;
        return [{ isNamed: (id) => isUnitId(id, conversation, unit), said: () => ({ type: "reply", text }) }];
      }
      if (change.type !== "call_ready") return [];
      const { name, args } = change;
      const call = wireCallId(conversation, change.id);
      return [
        { isNamed: (id) => id === `fc_${call}`, said: (param) => ({ type: "call", id: call, name, args, param }) },
      ];
    });
}

function notFound({ id, param }: SaidReference): WireProblem {
  return new WireProblem("not_found", `There is no item with the id ${id.slice(0, 80)}. Send the item itself.`, {
    param,
    code: "item_not_found",
  });
}
