import { pino } from 'pino';
import type { Clock } from '../../src/platform/clock';
import { createPaymentService, type PaymentService, type PaymentServiceOptions } from '../../src/payment-service';

export const REAL_START = Date.parse('2026-11-21T09:00:00.000Z');

/** A clock whose real time is moved by hand; network time-outs run on the machine's own. */
export interface HandClock extends Clock {
  move(ms: number): void;
}

export function createHandClock(): HandClock {
  let real = REAL_START;
  return { now: () => real, realNow: () => real, setting: null, move: (ms) => (real += ms) };
}

export interface ClientUnderTest {
  readonly service: PaymentService;
  readonly clock: HandClock;
  /** Everything that was logged, as one text. */
  readonly logged: () => string;
}

export const CLIENT_ID = 'client-of-the-test';
export const CLIENT_SECRET = 'client-secret-of-the-test';

export function createClient(baseUrl: string, overrides: Partial<PaymentServiceOptions> = {}): ClientUnderTest {
  const clock = createHandClock();
  const lines: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line) => lines.push(line) });
  const service = createPaymentService({
    baseUrl,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    timeoutMs: 5_000,
    clock,
    logger,
    // The circuit never opens: each test is about the result of one call, independently of earlier calls.
    circuit: { failuresInARow: 1_000_000, firstWaitMs: 1, lastWaitMs: 1 },
    ...overrides,
  });
  return { service, clock, logged: () => lines.join('\n') };
}

export const AMOUNT = { value: 1999, currency: 'EUR' } as const;

/** Records as the service writes them. */
export const wire = {
  authorization: {
    paymentId: 'pay-1',
    authorizationId: 'auth-1',
    amount: AMOUNT,
    createdAt: '2027-01-31T10:00:00.000Z',
    status: { result: 'pending' },
  },
  capture: {
    paymentId: 'pay-1',
    captureId: 'cap-1',
    authorizationId: 'auth-1',
    amount: AMOUNT,
    createdAt: '2027-01-31T10:00:05.250Z',
    status: { result: 'successful' },
  },
  refund: {
    paymentId: 'pay-1',
    refundId: 'ref-1',
    captureId: 'cap-1',
    amount: AMOUNT,
    createdAt: '2027-02-01T10:00:00.000Z',
    status: { result: 'pending' },
  },
  consent: { paymentId: 'pay-1', consentId: 'con-1', status: { result: 'successful' } },
  payment: { paymentId: 'pay-1', redirectURL: 'https://bank.example/approve/1', status: { result: 'pending' } },
} as const;

export function failure(detail: string, description = 'as the service says') {
  return { result: 'FAILED', detail, description };
}
