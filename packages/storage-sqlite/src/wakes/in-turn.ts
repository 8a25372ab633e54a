/** A conversation that can be claimed. */
export interface DueKey {
  id: number;
  /** The text of the user. */
  user: string;
  /** Since when it is due: Unix milliseconds. */
  at: number;
}

/**
 * Chooses what to claim: one conversation of each user in turn, first those of the users with the fewest claims, and for each
 * user the longest due first.
 *
 * @param claims how many claims each user has now, by the text of the user
 * @param perUser the highest number of claims of a user, those that are held now included
 * @returns at most `limit` ids
 */
export function inTurn(
  due: readonly DueKey[],
  claims: ReadonlyMap<string, number>,
  { limit, perUser }: { limit: number; perUser: number },
): number[] {
  const turns = new Map(claims);
  return due
    .toSorted((one, other) => one.at - other.at || one.id - other.id)
    .map(({ id, user }) => {
      const turn = (turns.get(user) ?? 0) + 1;
      turns.set(user, turn);
      return { id, turn };
    })
    .filter(({ turn }) => turn <= perUser)
    .sort((one, other) => one.turn - other.turn)
    .slice(0, limit)
    .map(({ id }) => id);
}
