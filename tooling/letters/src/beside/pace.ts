/** Milliseconds between two words of the model. */
export const pause = Number(process.env.PAUSE ?? 0);

/** Two hundred words of five letters, as most tokens of a model are. */
export const words = Array.from({ length: 200 }, () => "word ");
