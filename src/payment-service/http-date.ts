import type { WireHeaders } from './http-exchange';

/** The one value of a header, trimmed; the first where it came several times, undefined where it did not come. */
export function headerText(header: WireHeaders[string]): string | undefined {
  return (Array.isArray(header) ? header[0] : header)?.trim();
}

/**
 * Epoch milliseconds of an HTTP date in RFC 9110's preferred form alone: `Sun, 06 Nov 1994 08:49:37 GMT`.
 * @returns undefined for any other text.
 */
export function readHttpDate(text: string | undefined): number | undefined {
  if (text === undefined || !/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text))
    return undefined;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? undefined : instant;
}
