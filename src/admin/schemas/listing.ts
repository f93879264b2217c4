import { z } from 'zod';

/** `limit` and `cursor` of every list. The cursor is opaque: only one that a list gave is taken. */
export const PAGE_FIELDS = {
  limit: z.coerce.number('a whole number').int().min(1).max(200).default(50),
  cursor: z.string().min(1).max(512).optional(),
};

export const PageQuery = z.strictObject(PAGE_FIELDS);

/** `{items, nextCursor}`; null at the end of the list. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable() });
}
