import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';

/** The calls of a cycle to the simulated payment service. */
export interface ServiceCalls {
  /** @returns the id of the payment that was opened */
  open(): Promise<string>;
  isGranted(paymentId: string): Promise<boolean>;
  endConsent(paymentId: string): Promise<void>;
  /** All authorizations of the payment. */
  list(paymentId: string): Promise<readonly Listed[]>;
  initiate(paymentId: string, cents: number): Promise<string>;
  /** @returns the id of the successful capture; null while there is none */
  booked(paymentId: string, authorizationId: string): Promise<string | null>;
}

export interface Listed {
  readonly id: string;
  readonly isFinal: boolean;
}

interface Item {
  readonly authorizationId: string;
  readonly captureId: string;
  readonly status: { readonly result: string };
}

/**
 * Calls over one pool of persistent connections, with a fixed token.
 * @param perSecond the most calls sent per second; unlimited if not given
 */
export function createCalls(baseUrl: string, perSecond = Infinity): ServiceCalls {
  const dispatcher = new Agent({ connections: 100, keepAliveTimeout: 30_000 });
  const known = { authorization: 'Bearer bench-token', accept: 'application/json' };
  const untilNextCall = spacingOf(perSecond);

  /** Repeats the request while the answer is 429, after the Retry-After. */
  async function call<T>(path: string, method: 'GET' | 'POST' | 'DELETE', value?: object): Promise<T> {
    const body = value === undefined ? null : JSON.stringify(value);
    const headers = { ...known, ...(body === null ? {} : { 'content-type': 'application/json' }) };
    for (;;) {
      await untilNextCall();
      const answer = await request(`${baseUrl}${path}`, { dispatcher, headers, method, body });
      if (answer.statusCode !== 429) return (await answer.body.json()) as T;
      await answer.body.dump();
      await pause(1000 * Number(answer.headers['retry-after']));
    }
  }

  const get = <T>(path: string) => call<T>(path, 'GET');
  const post = <T>(path: string, value: object) => call<T>(path, 'POST', value);
  return {
    open: async () => (await post<{ paymentId: string }>('/payments', { useCase: 'SUBSCRIPTION' })).paymentId,
    isGranted: async (paymentId) => (await get<Item>(`/${paymentId}/consents`)).status.result === 'successful',
    async endConsent(paymentId) {
      await call(`/${paymentId}/consents`, 'DELETE');
    },
    async list(paymentId) {
      const { items } = await get<{ items: readonly Item[] }>(`/authorizations?paymentId=${paymentId}`);
      return items.map(({ authorizationId, status }) => ({
        id: authorizationId,
        isFinal: status.result !== 'pending',
      }));
    },
    async initiate(paymentId, cents) {
      const amount = { value: cents, currency: 'EUR' };
      return (await post<Item>(`/${paymentId}/authorizations`, { amount })).authorizationId;
    },
    async booked(paymentId, authorizationId) {
      const query = `paymentId=${paymentId}&authorizationId=${authorizationId}`;
      const { items } = await get<{ items: readonly Item[] }>(`/captures?${query}`);
      return items.find(({ status }) => status.result === 'successful')?.captureId ?? null;
    },
  };
}

/** Spaces calls evenly, so that no second has more than `perSecond`. */
function spacingOf(perSecond: number): () => Promise<void> {
  let next = 0;
  return async () => {
    const now = performance.now();
    const mine = Math.max(next, now);
    next = mine + 1000 / perSecond;
    if (mine > now) await pause(mine - now);
  };
}
