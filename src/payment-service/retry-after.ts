import { DAY, SECOND } from '../domain/time';
import { headerText, readHttpDate } from './http-date';
import type { WireHeaders } from './http-exchange';

/**
 * Real milliseconds to wait by a Retry-After header, in seconds or as an HTTP date; undefined where it says neither.
 * Never negative, and never more than a day, so that one absurd header cannot park a portfolio.
 */
export function readRetryAfter(header: WireHeaders[string], realNow: number): number | undefined {
  const text = headerText(header) ?? '';
  const until = /^\d+$/.test(text) ? realNow + Number(text) * SECOND : readHttpDate(text);
  return until === undefined ? undefined : Math.min(Math.max(0, until - realNow), DAY);
}
