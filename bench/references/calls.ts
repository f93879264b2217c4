import { Agent, request } from 'undici';

/** The calls of a cycle, to the service that answers at once. */
export interface ServiceCalls {
  /** @returns the id of the payment that was opened */
  open(): Promise<string>;
  isGranted(paymentId: string): Promise<boolean>;
  /** Ids of all authorizations, and whether the one asked for is booked. */
  list(paymentId: string): Promise<readonly Listed[]>;
  initiate(paymentId: string, cents: number): Promise<string>;
  /** The capture's id; null while it is pending. */
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

/** One pool of connections that are kept, and one token. */
export function createCalls(baseUrl: string): ServiceCalls {
  const dispatcher = new Agent({ connections: 100, keepAliveTimeout: 30_000 });
  const headers = { authorization: 'Bearer bench-token', accept: 'application/json' };

  async function get<T>(path: string): Promise<T> {
    const { body } = await request(`${baseUrl}${path}`, { dispatcher, headers });
    return (await body.json()) as T;
  }

  async function post<T>(path: string, value: unknown): Promise<T> {
    const options = { dispatcher, headers: { ...headers, 'content-type': 'application/json' } };
    const { body } = await request(`${baseUrl}${path}`, { ...options, method: 'POST', body: JSON.stringify(value) });
    return (await body.json()) as T;
  }

  return {
    open: async () => (await post<{ paymentId: string }>('/payments', { useCase: 'SUBSCRIPTION' })).paymentId,
    isGranted: async (paymentId) => (await get<Item>(`/${paymentId}/consents`)).status.result === 'successful',
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
