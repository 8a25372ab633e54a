/** All items of a list that comes in pages, up to a number. */
export interface WholeList<Item> {
  readonly items: readonly Item[];
  /** Why it is not whole. */
  readonly problem?: string;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string | undefined;
}

/**
 * Reads the pages of a list until its end, a cursor that came before, or `most` items. A server can make no list endless.
 *
 * @throws what a page throws
 */
export async function listAll<Item>(
  what: string,
  most: number,
  page: (cursor: string | undefined) => Promise<Page<Item>>,
): Promise<WholeList<Item>> {
  const items: Item[] = [];
  const seen = new Set<string>();
  for (let cursor: string | undefined, pages = 0; ; pages++) {
    const next = await page(cursor);
    items.push(...next.items.slice(0, most - items.length + 1));
    if (items.length > most) {
      return { items: items.slice(0, most), problem: `It lists more than ${most} ${what}. The rest is left out.` };
    }
    cursor = next.nextCursor;
    if (cursor === undefined) return { items };
    if (seen.has(cursor) || pages >= most) {
      return { items, problem: `Its list of ${what} does not end. What came until then is used.` };
    }
    seen.add(cursor);
  }
}
