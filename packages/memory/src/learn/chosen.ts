import { readModelJson } from "@cogency/protocol/host";
import { type Redact, redactionMark } from "@cogency/storage";
import { newId } from "../profile/new-id.ts";
import { oneLine } from "../profile/one-line.ts";
import { type Memory, memoryTopics, type Profile, profileBounds } from "../profile/profile.ts";
import { fieldsOf } from "../profile/read-profile.ts";
import { withinBounds } from "../profile/within-bounds.ts";
import { withoutSecrets } from "../profile/without-secrets.ts";
import type { OwnMessage } from "./own-messages.ts";
import { quoteMark } from "./own-words.ts";

/** What a model has written, as far as it has the shape of a choice. Nothing of it is believed. */
export interface Choice {
  readonly keep: readonly unknown[];
  readonly drop: readonly unknown[];
}

/** UTF-16 code units of an answer that is read. */
const longestAnswer = 50_000;

/** Reads the answer of the model; a sentence for the model says what is wrong with one that is no choice. */
export function choiceOf(answer: string): Choice | { readonly problem: string } {
  if (answer.length > longestAnswer) return { problem: "The answer is too long." };
  // Around the object may stand a fence, or thinking.
  const text = answer.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1);
  const { json, fault } = readModelJson(text);
  if (json === undefined) return { problem: `The answer is not a JSON object: ${fault.message}.` };
  const { keep = [], drop = [] } = fieldsOf(JSON.parse(json));
  if (!Array.isArray(keep) || !Array.isArray(drop)) return { problem: "`keep` and `drop` must be lists." };
  return { keep, drop };
}

/**
 * The profile after a choice. Each excerpt that does not stand in its message, that names no topic, that is too long, or that may be a
 * secret is left out. What the person typed is not dropped. `messages` count only after `learnedUntil` of the profile.
 */
export function profileAfter(
  profile: Profile,
  messages: readonly OwnMessage[],
  { keep, drop }: Choice,
  redact: Redact,
): Profile {
  const memories: Memory[] = profile.memories.filter(({ id, from }) => from === undefined || !drop.includes(id));
  for (const one of keep.slice(0, profileBounds.memories)) {
    const { message: number, words, about } = fieldsOf(one);
    const message = messages[Number.isInteger(number) ? Number(number) - 1 : -1];
    const topic = memoryTopics.find((each) => each === about);
    if (!message || !topic || typeof words !== "string" || !(message.said > profile.learnedUntil)) continue;
    const excerpt = oneLine(words);
    if (!isExcerpt(excerpt, message.words, redact)) continue;
    const { conversation, seq, said, scope } = message;
    const ofScope = topic === "project" && scope !== undefined;
    if (conversation.length + (ofScope ? scope.length : 0) > profileBounds.place) continue;
    if (memories.some((other) => isAlike(other, excerpt, ofScope ? scope : undefined))) continue;
    memories.push({
      id: newId([...profile.memories, ...memories]),
      ...{ about: topic, words: excerpt, said, from: { conversation, seq } },
      ...(ofScope && { scope }),
    });
  }
  const learnedUntil = Math.max(profile.learnedUntil, messages.at(-1)?.said ?? 0);
  return withinBounds({ ...profile, learnedUntil }, memories);
}

function isExcerpt(excerpt: string, message: string, redact: Redact): boolean {
  return (
    excerpt !== "" &&
    excerpt.length <= profileBounds.words &&
    message.includes(excerpt) &&
    !excerpt.includes(redactionMark) &&
    !excerpt.includes(quoteMark) &&
    withoutSecrets(excerpt, redact) === excerpt
  );
}

function isAlike(other: Memory, excerpt: string, scope: string | undefined): boolean {
  return other.scope === scope && other.words.toLowerCase() === excerpt.toLowerCase();
}
