import { type Memory, type Profile, profileBounds } from "./profile.ts";
import { bytesOf } from "./read-profile.ts";

/** The profile with these memories, in the order in which they were said, without those for which it has no room. */
export function withinBounds(profile: Profile, memories: readonly Memory[]): Profile {
  const left = [...memories].sort((one, other) => one.said - other.said);
  for (;;) {
    const next = { ...profile, memories: left };
    if (left.length === 0 || (left.length <= profileBounds.memories && bytesOf(next) <= profileBounds.bytes))
      return next;
    const learned = left.findIndex(({ from }) => from !== undefined);
    left.splice(Math.max(learned, 0), 1);
  }
}
