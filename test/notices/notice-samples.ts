import { pino } from 'pino';
import type { Clock } from '../../src/platform/clock';
import { createNotifier, type Notice, type Notifier, type NotifierOptions, readNoticeBody } from '../../src/notices';

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** Business time is in 2027; real time is the machine's, as verifiers tolerate five minutes only. */
export const clock: Clock = { now: () => Date.UTC(2027, 0, 31), realNow: () => Date.now(), setting: null };

/** A long time-out, so that a busy machine does not count as a receiver that hangs; `timeoutMs` is for one that does hang. */
export function createLogged(options: Partial<NotifierOptions>): { notifier: Notifier; logged: () => string } {
  const lines: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line) => lines.push(line) });
  return { notifier: createNotifier({ clock, logger, timeoutMs: 10_000, ...options }), logged: () => lines.join('\n') };
}

export const payer = { name: 'Ada Byron', email: 'ada@payer.example', reference: 'customer 7' };
export const about = { subscriptionId: 'sub-1', paymentId: 'pay-1', payer };

export const failed = {
  ...about,
  cycle: 2,
  attempt: 0,
  amount: { value: 1999, currency: 'EUR' },
  dueAt: '2027-01-31T10:00:00.000Z',
  detail: 'AUTHORIZATION_REJECTION_RETRYABLE',
  description: 'insufficient funds; contact the payer before retrying',
  retryAt: '2027-02-01T10:00:00.000Z',
  retriesLeft: 2,
};

export function notice(type: string, data: Record<string, unknown> = {}): Notice {
  const body = readNoticeBody(type, { ...about, ...data });
  return { id: 'msg_0123456789abcdef', timestamp: '2027-01-31T10:00:03.000Z', body };
}
