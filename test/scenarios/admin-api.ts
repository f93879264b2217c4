import { randomUUID } from 'node:crypto';
import { type Instant, toIso } from '../../src/domain/time';
import { waitUntil } from '../support/wait-until';

export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

/** The admin API over HTTP, as a merchant's program calls it. Bodies are as the wire has them. */
export interface AdminApi {
  get<T = never>(path: string): Promise<Answer<T>>;
  /** Posts with a new idempotency key each time, unless one is given. */
  post<T = never>(path: string, body?: unknown, idempotencyKey?: string): Promise<Answer<T>>;
  patch<T = never>(path: string, body: unknown): Promise<Answer<T>>;
  delete<T = never>(path: string): Promise<Answer<T>>;
  /** The program's log lines about a request, which have reasons that are not in its answer. */
  logOf(requestId: string): readonly object[];
}

/** @param log of the program that serves it, if that is at hand */
export function createAdminApi(url: string, key: string, log: () => readonly object[] = () => []): AdminApi {
  const headers = { authorization: `Bearer ${key}` };
  const read = async <T>(answer: Response): Promise<Answer<T>> => {
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as T };
  };
  return {
    logOf: (requestId) => log().filter((line) => JSON.stringify(line).includes(requestId)),
    delete: async (path) => read(await fetch(`${url}${path}`, { method: 'DELETE', headers })),
    patch: async (path, body) =>
      read(
        await fetch(`${url}${path}`, {
          method: 'PATCH',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      ),
    get: async (path) => read(await fetch(`${url}${path}`, { headers })),
    post: async (path, body = {}, idempotencyKey = randomUUID()) =>
      read(
        await fetch(`${url}${path}`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
          body: JSON.stringify(body),
        }),
      ),
  };
}

export interface Reconciliation {
  readonly comparedAt: string | null;
  readonly items: readonly unknown[];
  readonly nextCursor: string | null;
}

/** The result of a comparison of the ledger with the service. */
export interface Reconciled {
  /** Payments that this comparison asked the service about. A report counts those of every comparison that it covers. */
  readonly compared: number;
  readonly report: Reconciliation;
}

/** Starts a comparison of the ledger with the service, waits for its end, and reads its findings. */
export async function reconcile(admin: AdminApi, from: Instant, to: Instant): Promise<Reconciled> {
  const period = { from: toIso(from), to: toIso(to) };
  const ordered = await admin.post<{ jobId: string }>('/v1/reports/reconciliation', period);
  expect(ordered).toMatchObject({ status: 202, body: { kind: 'reconciliation' } });
  const path = ordered.headers.get('location')!;
  const job = async () => (await admin.get<{ state: string; done: number }>(path)).body;
  await waitUntil('the comparison has ended', async () => (await job()).state !== 'running');
  const { state, done: compared } = await job();
  expect(state).toBe('finished');
  const report = await admin.get<Reconciliation>(`/v1/reports/reconciliation?from=${period.from}&to=${period.to}`);
  expect(report.status).toBe(200);
  expect(report.body.comparedAt).not.toBeNull();
  return { compared, report: report.body };
}

export interface Subscription {
  readonly subscriptionId: string;
  readonly paymentId: string;
  readonly status: string;
  readonly standing: string;
  readonly nextDueAt: string | null;
  readonly amount: { readonly value: number };
  readonly pendingAmountChange?: { readonly fromCycle: number; readonly payerNotice: string };
  readonly replacedBy?: string;
  readonly cyclesCollected: number;
  readonly pausedUntil?: string;
  readonly cancelledBy?: string;
  readonly consent: { readonly status: string; readonly redirectURL?: string };
}

export interface AmountChange {
  readonly fromCycle: number;
  readonly kind: string;
  readonly countsAsIncrease: boolean;
  readonly nextIncreaseAllowedFrom?: string;
}

export interface Cycle {
  readonly cycle: number;
  readonly dueAt: string;
  readonly collectBy: string;
  readonly status: string;
  readonly reason?: string;
  readonly amount: { readonly value: number };
  readonly attempts: readonly Attempt[];
  readonly paymentLink?: { readonly paymentId: string; readonly state: 'open' | 'paid' | 'ended' };
}

export interface Attempt {
  readonly attempt: number;
  readonly send: number;
  readonly at: string;
  readonly outcome: string;
  readonly authorizationId?: string;
  readonly captureId?: string;
  readonly payerNotifiedAt?: string;
}

/** The sends that left: on a busy machine a send may miss its deadline, and is then not sent and uses up no attempt. */
export function sentOf(attempts: readonly Attempt[]): readonly Attempt[] {
  return attempts.filter(({ outcome }) => outcome !== 'not_sent');
}

/** Number and outcome of each attempt that was sent. */
export function arrivedOf(attempts: readonly Attempt[]): [number, string][] {
  return sentOf(attempts).map(({ attempt, outcome }) => [attempt, outcome]);
}

export interface ProblemBody {
  readonly code: string;
  readonly detail: string;
  /** Set if a rule forbids the amount. */
  readonly rule?: string;
  readonly highestAllowed?: { readonly value: number };
  readonly allowedFrom?: string;
  readonly newConsentRequired?: boolean;
}
