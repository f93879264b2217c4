import { DAY, SECOND } from '../domain/instant';

/**
 * Real milliseconds to wait by a Retry-After header, in seconds or as an HTTP date; undefined where it says neither.
 * Never negative, and never more than a day, so that one absurd header cannot park a portfolio.
 */
export function readRetryAfter(header: string | string[] | undefined, realNow: number): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (text === undefined || text === '') return undefined;
  const wait = /^\d+$/.test(text) ? Number(text) * SECOND : httpDate(text) - realNow;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(0, wait), DAY);
}

/** RFC 9110's preferred form alone: `Sun, 06 Nov 1994 08:49:37 GMT`. */
function httpDate(text: string): number {
  return /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text) ? Date.parse(text) : NaN;
}
