import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * A subset of the e-mail addresses of RFC 5321 and, for letters of every script, RFC 6531: without quoted parts, most punctuation, IP
 * addresses, and domains without a dot.
 */

export type ParsedEmail =
  | { readonly kind: 'valid'; readonly address: string }
  /** What was expected, in words. */
  | { readonly kind: 'invalid'; readonly expected: string };

/** Longest address, longest part before the @, and longest domain, in bytes of UTF-8 with the domain in ASCII. */
const MAX_BYTES = 254;
const MAX_LOCAL_BYTES = 64;
const MAX_DOMAIN_BYTES = 253;

/**
 * The part before the @: ASCII letters, digits and `_'+-`, beyond ASCII everything but blanks and invisible characters, and
 * single dots between them.
 */
const LOCAL = /^(?:[\w'+-]|[^\p{C}\p{Z}\p{ASCII}])+(?:\.(?:[\w'+-]|[^\p{C}\p{Z}\p{ASCII}])+)*$/u;
/** A domain name in ASCII. The last label is not a number: that would be an IP address. */
const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?:[a-z]{2,63}|xn--[a-z\d-]{0,58}[a-z\d])$/i;
/** Characters that no domain name has. Node's conversions accept any URL host, also with `%41`, IPv6 literals or ports. */
const NOT_IN_DOMAIN = /[^\p{L}\p{M}\p{N}.\u3002\uff0e\uff61-]/u;

const WHOLE = 'an e-mail address such as payer@example.com';
const LOCAL_RULE = `1 to ${MAX_LOCAL_BYTES} bytes before the @: letters, digits, _ ' + - and single dots between them`;

/**
 * Normalizes an address: NFC, and an internationalised domain in its own script, whether it was given in that script or in ASCII
 * (`xn--…`). An ASCII address is not changed.
 */
export function parseEmail(text: string): ParsedEmail {
  const whole = text.normalize('NFC');
  const at = whole.lastIndexOf('@');
  const [local, domain] = [whole.slice(0, Math.max(at, 0)), whole.slice(at + 1)];
  if (at < 0) return invalid(WHOLE);
  if (!LOCAL.test(local) || Buffer.byteLength(local) > MAX_LOCAL_BYTES) return invalid(`${WHOLE}, with ${LOCAL_RULE}`);
  const ascii = toAscii(domain);
  if (ascii === null) return invalid(`${WHOLE}, with a valid domain after the @`);
  if (Buffer.byteLength(`${local}@${ascii}`) > MAX_BYTES) return invalid(`${WHOLE}, of at most ${MAX_BYTES} bytes`);
  return { kind: 'valid', address: `${local}@${isInternational(domain) ? domainToUnicode(ascii) : domain}` };
}

function invalid(expected: string): ParsedEmail {
  return { kind: 'invalid', expected };
}

function isInternational(domain: string): boolean {
  return !isAscii(domain) || /(?:^|\.)xn--/i.test(domain);
}

/** Null if it is not a valid domain name. */
function toAscii(domain: string): string | null {
  if (NOT_IN_DOMAIN.test(domain)) return null;
  const ascii = isInternational(domain) ? domainToASCII(domain) : domain;
  return DOMAIN.test(ascii) && ascii.length <= MAX_DOMAIN_BYTES ? ascii : null;
}

/** The address for SMTP: the domain in ASCII. An address that is not valid is not changed. */
export function toSmtpAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const ascii = toAscii(address.slice(at + 1));
  return ascii === null ? address : `${address.slice(0, at + 1)}${ascii}`;
}

/** Whether the address can only be sent to through a server with the extension SMTPUTF8: its part before the @ is not ASCII. */
export function needsSmtpUtf8(address: string): boolean {
  return !isAscii(address.slice(0, Math.max(address.lastIndexOf('@'), 0)));
}

/** A text to search for, with domains in the script in which {@link parseEmail} stores them. */
export function withReadableDomains(text: string): string {
  return text.replace(/[^\s@]*xn--[^\s@]*/gi, (domain) => {
    return NOT_IN_DOMAIN.test(domain) ? domain : domainToUnicode(domain) || domain;
  });
}

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}
