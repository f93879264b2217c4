import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DAY, MINUTE, SECOND } from '../../src/domain/time';
import type { Answer, ProblemBody } from '../scenarios/admin-api';
import { timed, type Told } from '../storm/checks';
import { type Made, orderOf } from '../storm/stack-in-storm';
import { orNone } from '../torture/asking';
import type { Stage } from './stage';

/** Real ms between two tries of a request, and after which a try is given up. */
const PAUSE = SECOND / 4;
const TIMEOUT = MINUTE;
const REPEATED: readonly string[] = ['idempotency_in_progress', 'payment_service_unavailable', 'not_ready'];

export interface Creation extends Told {
  readonly id: string;
  /** The service's payment; null if there is none or more than one. */
  readonly paymentId: string | null;
}

/** Pauses or cancels through the proxy; a request with its repetitions counts as one, from the first try to the last. */
export function stop(stage: Stage, { id }: Made, verb: 'pause' | 'cancel'): Promise<Told> {
  return timed(async () => (await ask(stage, `/v1/subscriptions/${id}/${verb}`, { reason: 'cluster' })).status);
}

/** Creates a subscription by two simultaneous requests, which reach two APIs if two are up; both must get the same answer. */
export async function createTwice(stage: Stage, id: string): Promise<Creation> {
  const { clock } = stage.storm.stack;
  const order = orderOf(clock.now() + 30 * DAY, id);
  const key = randomUUID();
  let paymentId: string | null = null;
  const told = await timed(async () => {
    const both = await Promise.all([1, 2].map(() => ask<Made>(stage, '/v1/subscriptions', order, key)));
    const [one, other] = both.map(({ body }) => body.paymentId);
    if (one === other) paymentId = one ?? null;
    return both.find(({ status }) => status !== 201)?.status ?? 201;
  });
  return { ...told, id, paymentId };
}

/** Makes a call as callers do: repeats it with its key as long as the answer says to. */
async function ask<T>(
  stage: Stage,
  path: string,
  body: object,
  key: string = randomUUID(),
): Promise<Answer<T & Partial<ProblemBody>>> {
  const givenUp = performance.now() + TIMEOUT;
  for (;;) {
    const answer = await orNone(() => stage.storm.stack.admin.post<T & Partial<ProblemBody>>(path, body, key));
    const isOver = performance.now() > givenUp;
    if (answer !== null && (isOver || !isToBeRepeated(answer))) return answer;
    if (isOver) throw new Error(`${path} was never answered`);
    await pause(PAUSE);
  }
}

/**
 * Whether docs/reference/admin-api.md says to repeat the request after this response. If an API died while it handled
 * the request, the response comes from the proxy and has no code.
 */
function isToBeRepeated({ status, body }: Answer<Partial<ProblemBody>>): boolean {
  return body.code === undefined ? status === 502 : REPEATED.includes(body.code);
}
