import { z } from 'zod';
import type { ReadValue } from './answer';

const list = z.object({ items: z.array(z.unknown()) });

/** Every item or nothing: a list with one unreadable item could hide the debit that is being looked for. */
export function readList<T>(readItem: ReadValue<T>): ReadValue<readonly T[]> {
  return (body) => {
    const parsed = list.safeParse(body);
    if (!parsed.success) return null;
    const items = parsed.data.items.map(readItem);
    return items.every((item) => item !== null) ? items : null;
  };
}
