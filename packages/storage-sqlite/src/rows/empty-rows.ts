/**
 * The numbers of so many rows that even empty ones fill a page. `secure_delete` overwrites a row that is deleted, but not
 * the copies of it that stay in the free part of a page when SQLite moves rows to other pages. Empty rows that take the
 * place of the deleted ones for a moment overwrite those in the page where these stood.
 */
export const emptyRows: readonly number[] = Array.from({ length: 400 }, (_, index) => index + 1);
