/**
 * Enough row numbers to fill a page with empty rows. `secure_delete` overwrites a deleted row, but not the copies that
 * stay in the free part of a page when SQLite moves rows to another page. Inserting empty rows in place of the deleted
 * ones, and deleting them again, overwrites the copies in that page.
 */
export const emptyRows: readonly number[] = Array.from({ length: 400 }, (_, index) => index + 1);
