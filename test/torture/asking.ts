import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Instant } from '../../src/domain/time';
import type { ProcessStack } from '../processes/local-stack';
import type { Answer, ProblemBody } from '../scenarios/admin-api';

/** Real ms between two tries of a request. */
const PAUSE = 500;
/** Real ms after which a request is given up, even if its own limit is later. */
const TIMEOUT = 60_000;

/** The result of a request, with the instants between which it took effect; `unknown`: no answer came. */
export type Answered<T> = { readonly from: Instant; readonly to: Instant } & (
  | { readonly kind: 'done'; readonly body: T }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'unknown' }
);

/** Repeats a request with one key until its answer is final, but no longer than {@link TIMEOUT} or the instant `until`. */
export async function askUntil<T>(
  stack: ProcessStack,
  path: string,
  body: object,
  until: Instant,
): Promise<Answered<T>> {
  const key = randomUUID();
  const { clock, admin } = stack;
  const from = clock.now();
  const givenUp = performance.now() + TIMEOUT;
  while (clock.now() < until && performance.now() < givenUp) {
    const answer = await orNone(() => admin.post<T & ProblemBody>(path, body, key));
    const period = { from, to: clock.now() };
    if (answer !== null && answer.status < 300) return { ...period, kind: 'done', body: answer.body };
    if (answer !== null && isFinal(answer)) return { ...period, kind: 'refused', code: answer.body.code };
    await pause(PAUSE);
  }
  return { kind: 'unknown', from, to: clock.now() };
}

/** Null if the API gave no answer, or one that was cut off. */
export async function orNone<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError) return null;
    throw error;
  }
}

function isFinal({ status, body }: Answer<ProblemBody>): boolean {
  return status < 500 && status !== 429 && body.code !== 'idempotency_in_progress';
}
