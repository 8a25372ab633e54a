// What a call is made of. A module without imports, so that bundlers put the numbers in place of the names.

/** The keys of a call that count, and what their values begin with. */
export const callKeys = ["name", "args"];
export const valueBeginnings = ['"', "{"];
export const NAME = 0;
export const ARGS = 1;

/** The block's array is depth 1, a call 2, its arguments 3 (protocol.md P15). */
export const callDepth = 2;
export const maxDepth = 256;
