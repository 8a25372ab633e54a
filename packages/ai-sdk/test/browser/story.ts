/** Words that are all different, so that none may be missing or doubled. */
export const story: readonly string[] = Array.from({ length: 150 }, (_, at) => (at === 0 ? "word1" : ` word${at + 1}`));
