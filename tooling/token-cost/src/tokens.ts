/** As `estimateUsage` of `@cogency/provider` counts: one token for four UTF-16 code units. */
export const charactersPerToken = 4;

export const tokensIn = (characters: number) => Math.ceil(characters / charactersPerToken);
