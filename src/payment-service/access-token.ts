import { z } from 'zod';
import type { Clock } from '../platform/clock';
import { SECOND } from '../domain/time';
import type { HttpExchange, WireRequest } from './http-exchange';
import { parseJson } from './wire';
import { readRetryAfter, CALL_REFUSED, notSent, type NotSent } from './answer';
import { sendWith, type WorkPermits } from './call-rate';

export interface TokenOptions {
  readonly baseUrl: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly apiKey?: string | undefined;
  /** How long the service accepts a token. A token is refreshed after four fifths of this time: 240 of 300 s (rule 28). */
  readonly tokenLifeSeconds: number;
  readonly clock: Clock;
  readonly exchange: HttpExchange;
  readonly permits: WorkPermits;
}

export type TokenOutcome = { readonly kind: 'token'; readonly value: string } | NotSent;

/** The one token of a client. Callers without a token, or with the same refused one, share a single request for a new one. */
export interface AccessTokens {
  /** The stored token; null if there is none that is still usable. */
  stored(): string | null;
  current(): Promise<TokenOutcome>;
  /** A token other than the refused one; requests a new one unless another call already has. */
  replace(refused: string): Promise<TokenOutcome>;
}

const REFRESH_AT = 0.8;

const tokenAnswer = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]+$/),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.number().positive().optional().catch(undefined),
});

interface HeldToken {
  readonly value: string;
  readonly askedAt: number;
  readonly refreshAfterMs: number;
}

export function createAccessTokens(options: TokenOptions): AccessTokens {
  let held: HeldToken | null = null;
  let inFlight: Promise<TokenOutcome> | null = null;

  const usable = (): HeldToken | null => {
    if (held === null) return null;
    const age = options.clock.realNow() - held.askedAt;
    // A negative age means that the machine's clock was set back: the token's age is unknown.
    return age >= 0 && age < held.refreshAfterMs ? held : null;
  };

  const fetchOnce = (): Promise<TokenOutcome> => {
    inFlight ??= requestToken(options)
      .then((outcome) => {
        if (outcome.kind === 'not_sent') return outcome;
        held = outcome.token;
        return { kind: 'token' as const, value: held.value };
      })
      .finally(() => (inFlight = null));
    return inFlight;
  };

  const current = async (): Promise<TokenOutcome> => {
    const token = usable();
    return token === null ? fetchOnce() : { kind: 'token', value: token.value };
  };

  return {
    stored: () => usable()?.value ?? null,
    current,
    replace: (refused) => {
      if (held?.value === refused) held = null;
      return current();
    },
  };
}

async function requestToken(options: TokenOptions): Promise<{ kind: 'held'; token: HeldToken } | NotSent> {
  const permit = await options.permits.takeForToken();
  if (permit === null) return CALL_REFUSED;
  const askedAt = options.clock.realNow();
  const answer = await sendWith(permit, options.exchange, tokenRequest(options));
  // Without a token, the call that needed it has not been sent.
  if (answer.kind !== 'answered') return notSent(`no access token: ${answer.reason}`);
  if (answer.status !== 200) {
    const retryAfter = readRetryAfter(answer.headers['retry-after'], options.clock.realNow());
    return notSent(`no access token: the token endpoint answered ${answer.status}`, retryAfter);
  }
  const parsed = tokenAnswer.safeParse(parseJson(answer, (text) => text));
  if (!parsed.success) return notSent('no access token: the token endpoint returned an unreadable answer');
  const lifeSeconds = Math.min(options.tokenLifeSeconds, parsed.data.expires_in ?? options.tokenLifeSeconds);
  const refreshAfterMs = lifeSeconds * SECOND * REFRESH_AT;
  return { kind: 'held', token: { value: parsed.data.access_token, askedAt, refreshAfterMs } };
}

function tokenRequest({ baseUrl, tokenUrl, clientId, clientSecret, apiKey }: TokenOptions): WireRequest {
  const url = new URL(tokenUrl);
  // A token endpoint of another party must not receive the service's key.
  const isKeyed = apiKey !== undefined && url.origin === new URL(baseUrl).origin;
  return {
    operation: 'access_token',
    method: 'POST',
    origin: url.origin,
    path: url.pathname + url.search,
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      'accept-encoding': 'identity',
      ...(isKeyed ? { 'x-api-key': apiKey } : {}),
    },
    body: 'grant_type=client_credentials',
  };
}
