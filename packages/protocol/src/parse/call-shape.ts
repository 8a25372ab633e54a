// The shape of a call in the JSON dialect, and the limits of both. This module imports nothing, so that bundlers replace the names by the
// numbers.

/** The keys of a call that count, and the character that the value of each begins with. */
export const callKeys = ["name", "args"];
export const valueBeginnings = ['"', "{"];
export const NAME = 0;
export const ARGS = 1;

/** The block's array is depth 1, a call 2, its arguments 3 (protocol.md P15). */
export const callDepth = 2;
export const maxDepth = 256;

/** The calls that a block may hold, and the UTF-16 units that a call may have (protocol.md P16). */
export const maxCalls = 10_000;
export const maxCallLength = 2 ** 24;
