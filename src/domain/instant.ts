/** An instant of business time: milliseconds since 1970-01-01T00:00:00.000Z. */
export type Instant = number;

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** `YYYY-MM-DDThh:mm:ss.sssZ`, the one form in which instants leave the program. */
export function toIso(instant: Instant): string {
  return new Date(instant).toISOString();
}
