import { z } from 'zod';
import { DAY, HOUR, MINUTE, SECOND, type Instant } from '../../domain/time';

const FORM = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d{2}):?(\d{2}))$/;

/** The last instant that the wire form can hold. */
export const LAST_INSTANT: Instant = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const EXPECTED = 'a time with date, time of day and offset, such as 2027-01-31T10:00:00Z, from 1970 to 9999';

/** A time as callers may write it: ISO 8601 with any offset. Becomes an {@link Instant}; digits past the ms are cut. */
export const InstantIn = z
  .string()
  .transform((text, context): Instant => {
    const instant = parseInstant(text);
    if (instant !== null) return instant;
    context.issues.push({ code: 'custom', message: EXPECTED, input: text });
    return z.NEVER;
  })
  .meta({ format: 'date-time', description: 'ISO 8601 with date, time of day and offset' });

/** A time as it leaves: `YYYY-MM-DDThh:mm:ss.sssZ`. */
export const InstantOut = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  .meta({ format: 'date-time', description: 'YYYY-MM-DDThh:mm:ss.sssZ' });

/** Null where the text is no time that exists: no offset, no time of day, 30 February, hour 24. */
export function parseInstant(text: string): Instant | null {
  const found = FORM.exec(text);
  if (found === null) return null;
  const part = (index: number) => Number(found[index] ?? 0);
  const midnight = midnightOf(part(1), part(2), part(3));
  const [hour, minute, second] = [part(4), part(5), part(6)];
  const [offsetHour, offsetMinute] = [part(9), part(10)];
  if (midnight === null || hour > 23 || minute > 59 || second > 59 || offsetHour > 18 || offsetMinute > 59) return null;
  const ms = Number((found[7] ?? '').padEnd(3, '0').slice(0, 3));
  const offset = (offsetHour * HOUR + offsetMinute * MINUTE) * (found[8] === '-' ? -1 : 1);
  const instant = midnight + hour * HOUR + minute * MINUTE + second * SECOND + ms - offset;
  return instant >= 0 && instant <= LAST_INSTANT ? instant : null;
}

/** Null where the calendar lacks the day. Years below 100 are before 1970 anyway. */
function midnightOf(year: number, month: number, day: number): Instant | null {
  if (year < 1969 || month < 1 || month > 12 || day < 1) return null;
  const midnight = Date.UTC(year, month - 1, day);
  return new Date(midnight).getUTCDate() === day && midnight % DAY === 0 ? midnight : null;
}
