import { randomUUID } from 'node:crypto';
import { DAY, type Instant } from '../../src/domain/time';
import { claimDeliveries, fanOut, placeEvents, type Pool, recordTries, type TryRecord } from '../../src/ledger';

/** Queues every recorded event for each endpoint that wants its type. */
export async function queueEvents(db: Pool): Promise<void> {
  while ((await placeEvents(db)) > 0);
  while (await fanOut(db));
}

const DELIVERED = {
  state: 'delivered',
  status: 204,
  ms: 1,
  error: null,
  answer: null,
  wait: 0,
  retryAfter: null,
  isEarly: false,
} as const;

/** How a try ended. Omitted fields are those of a delivered event, and the number is the next one. */
type Ended = Partial<Omit<TryRecord, 'deliveryId' | 'subject'>>;

/**
 * Records a try of the next delivery of each subject that is due at the endpoint, without a request.
 * @returns the ids of the events that were tried
 */
export async function tryOnce(db: Pool, endpointId: string, ended: Ended, at: Instant): Promise<readonly string[]> {
  const claimId = randomUUID();
  const limits = { endpointId, probeEvery: 60_000 };
  const claimed = await claimDeliveries(db, { ...limits, claimId, lease: 45_000, limit: 20 });
  const due = claimed.flatMap(({ subject, delivery }) => (delivery === null ? [] : [{ subject, delivery }]));
  const tries = due.map(({ subject, delivery }): TryRecord => {
    return { deliveryId: delivery.deliveryId, subject, number: delivery.tries + 1, ...DELIVERED, ...ended };
  });
  const subjects = claimed.map(({ subject }) => subject);
  const batch = { ...limits, subjects, claimIds: [claimId], tries, disableAfter: DAY };
  if (claimed.length > 0) await recordTries(db, batch, { actor: 'dueday', at });
  return due.map(({ delivery }) => delivery.eventId);
}

/** Tries as long as something is due at the endpoint. @returns the ids of the events that were tried, in order */
export async function tryAll(db: Pool, endpointId: string, ended: Ended, at: Instant): Promise<readonly string[]> {
  const events: string[] = [];
  for (;;) {
    const tried = await tryOnce(db, endpointId, ended, at);
    if (tried.length === 0) return events;
    events.push(...tried);
  }
}
