import { bodyOf, exchange, type Exchange, type Method, text } from './exchange';
import { CannotBeTried } from './outcome';

/** What a row requires of its merchant's contract; an omitted field may have any value. */
export interface MerchantTerms {
  readonly environment?: 'sandbox' | 'production';
  readonly merchantCategoryCode?: string;
  readonly longCapturePermitted?: boolean;
  readonly eventDependentRefunds?: boolean;
  readonly allowList?: readonly string[];
  /** The merchant is in none of the categories that are limited to 50 EUR per capture. */
  readonly capturesAnyAmount?: true;
}

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface ServiceAddress {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly tokenUrl: string;
  readonly apiKey?: string | undefined;
  readonly timeoutMs: number;
}

/** A merchant that calls the service: it sends raw requests with its own bearer token. */
export class Merchant {
  private token: Promise<string> | null = null;

  constructor(
    private readonly service: ServiceAddress,
    private readonly credentials: Credentials,
  ) {}

  /** Requests a token. @returns the exchange, whatever the answer */
  requestToken(): Promise<Exchange> {
    const { clientId, clientSecret } = this.credentials;
    return exchange(
      {
        method: 'POST',
        url: this.service.tokenUrl,
        headers: {
          authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
          'content-type': 'application/x-www-form-urlencoded',
          accept: 'application/json',
        },
        body: 'grant_type=client_credentials',
      },
      this.service.timeoutMs,
    );
  }

  /**
   * Makes a call with this merchant's token, and repeats it once with a new token if the first one is refused.
   * @throws CannotBeTried without a token that the service accepts
   */
  async call(method: Method, path: string, body?: unknown): Promise<Exchange> {
    const token = await this.currentToken();
    const first = await this.callWith(token, method, path, body);
    if (first.answer.status !== 401) return first;
    this.token = null;
    const second = await this.callWith(await this.currentToken(), method, path, body);
    if (second.answer.status === 401) throw new CannotBeTried('the service refuses a fresh token (401)');
    return second;
  }

  /** Makes a call with exactly this token, or without one. */
  callWith(token: string | null, method: Method, path: string, body?: unknown): Promise<Exchange> {
    const { baseUrl, apiKey, timeoutMs } = this.service;
    return exchange(
      {
        method,
        url: baseUrl + path,
        headers: {
          accept: 'application/json',
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      },
      timeoutMs,
    );
  }

  private currentToken(): Promise<string> {
    this.token ??= this.fetchToken();
    return this.token;
  }

  private async fetchToken(): Promise<string> {
    const answer = await this.requestToken();
    const token = text(bodyOf(answer), 'access_token');
    if (token !== undefined) return token;
    throw new CannotBeTried(`no access token: the token endpoint answered ${answer.answer.status}`);
  }
}
