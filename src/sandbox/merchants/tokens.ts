import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Credentials } from '../options';
import type { Merchant } from './merchant';

export type Tokens = ReturnType<typeof createTokens>;

/** Seconds. */
export const TOKEN_LIFE = 300;

interface Issued {
  readonly merchant: Merchant;
  readonly at: number;
}

/** Access tokens, with their lifetimes in real time. */
export function createTokens(realNow: () => number, ttlSeconds: number) {
  const issued = new Map<string, Issued>();
  // "token missing or older than 300 s": at exactly 300 s it still works.
  const isFresh = ({ at }: Issued): boolean => realNow() - at <= ttlSeconds * 1000;
  return {
    issue: (merchant: Merchant) => {
      for (const [token, one] of issued) if (!isFresh(one)) issued.delete(token);
      const token = randomBytes(24).toString('base64url');
      issued.set(token, { merchant, at: realNow() });
      return token;
    },
    /** The merchant of a token; null if it is unknown or has expired. */
    merchantOf: (token: string) => {
      const found = issued.get(token);
      return found !== undefined && isFresh(found) ? found.merchant : null;
    },
    /** Makes a token older by `ms`. @returns false if there is no such token */
    age: (token: string, ms: number) => {
      const found = issued.get(token);
      if (found !== undefined) issued.set(token, { ...found, at: found.at - ms });
      return found !== undefined;
    },
  };
}

/** Client id and secret of an `Authorization: Basic` header; null for any other. */
export function readBasic(header: string | undefined): Credentials | null {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return null;
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  return colon < 0 ? null : { clientId: decoded.slice(0, colon), clientSecret: decoded.slice(colon + 1) };
}

/** RFC 6749 section 2.3.1 form-encodes both parts first; not every client does, so both forms are accepted. */
export function isSame(given: Credentials, expected: Credentials): boolean {
  const formEncoded = { clientId: formEncode(expected.clientId), clientSecret: formEncode(expected.clientSecret) };
  return [expected, formEncoded].some(
    (one) => isSameText(given.clientId, one.clientId) && isSameText(given.clientSecret, one.clientSecret),
  );
}

export function isSameText(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function formEncode(text: string): string {
  return new URLSearchParams({ x: text }).toString().slice(2);
}
