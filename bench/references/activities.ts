import { setTimeout as pause } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import type { Pool } from 'pg';
import type { ServiceCalls } from './calls';

/** All times are real, epoch ms. */
export interface BareInput {
  readonly id: string;
  readonly paymentId: string;
  readonly cents: number;
  readonly firstDueAt: number;
  readonly interval: number;
  readonly cycle: number;
}

export interface BareActivities {
  collect(input: BareInput): Promise<string>;
  open(id: string): Promise<string>;
  awaitConsent(input: { readonly id: string; readonly paymentId: string }): Promise<void>;
}

const BETWEEN_POLLS = 500;
const BETWEEN_HEARTBEATS = 5_000;

/** The five calls and three commits of a cycle that is collected at once, and polling in place for one that is not. */
export function createBareActivities(db: Pool, calls: ServiceCalls): BareActivities {
  return {
    async collect({ id, paymentId, cents, cycle }) {
      if (!(await calls.isGranted(paymentId))) throw new Error(`the consent of ${paymentId} is gone`);
      const before = await calls.list(paymentId);
      const { rowCount } = await db.query(
        `insert into attempts (id, cycle, state) values ($1, $2, 'sending') on conflict do nothing`,
        [id, cycle],
      );
      const authorizationId =
        rowCount === 1
          ? await calls.initiate(paymentId, cents)
          : await findSent(calls, paymentId, new Set(before.slice(0, cycle).map((each) => each.id)));
      await db.query(`update attempts set state = 'pending', authorization_id = $3 where id = $1 and cycle = $2`, [
        ...[id, cycle, authorizationId],
      ]);
      const captureId = await untilBooked(calls, paymentId, authorizationId);
      await db.query(
        `with won as (
           update attempts set state = 'collected', capture_id = $3, collected_at = clock_timestamp()
           where id = $1 and cycle = $2
         ) update subscriptions set next_cycle = $2 + 1 where id = $1`,
        [id, cycle, captureId],
      );
      return captureId;
    },
    async open(id) {
      const paymentId = await calls.open();
      await db.query(`update subscriptions set payment_id = $2, status = 'pending' where id = $1`, [id, paymentId]);
      return paymentId;
    },
    async awaitConsent({ id, paymentId }) {
      await whileHeartbeating(async () => {
        while (!(await calls.isGranted(paymentId))) await pause(BETWEEN_POLLS);
      });
      await db.query(`update subscriptions set status = 'active' where id = $1`, [id]);
    },
  };
}

/** A worker died after the row was written: what was sent is asked for, and never sent again. */
async function findSent(calls: ServiceCalls, paymentId: string, known: ReadonlySet<string>): Promise<string> {
  const sent = (await calls.list(paymentId)).find(({ id }) => !known.has(id));
  if (sent === undefined) throw new Error(`nothing is known of what was sent for ${paymentId}`);
  return sent.id;
}

async function untilBooked(calls: ServiceCalls, paymentId: string, authorizationId: string): Promise<string> {
  return whileHeartbeating(async () => {
    for (;;) {
      const listed = await calls.list(paymentId);
      const isFinal = listed.some((each) => each.id === authorizationId && each.isFinal);
      const captureId = isFinal ? await calls.booked(paymentId, authorizationId) : null;
      if (captureId !== null) return captureId;
      await pause(BETWEEN_POLLS);
    }
  });
}

async function whileHeartbeating<T>(work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), BETWEEN_HEARTBEATS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
