import { Context } from '@temporalio/activity';
import type { Pool } from 'pg';
import type { ServiceCalls } from './calls';
import { type BareInput, finishCycle, sendCycle, untilBooked } from './collecting';

export interface BareActivities {
  collect(input: BareInput): Promise<string>;
  /** Does nothing; its runs are recorded afterwards, in batches. */
  nothing(input: BareInput): Promise<void>;
  open(id: string): Promise<string>;
  /** Fails until the payer has granted the consent: payers take minutes, and retries do not occupy a slot in between. */
  checkConsent(input: Payment): Promise<void>;
  keepStatus(input: { readonly id: string; readonly status: string }): Promise<void>;
  cancel(input: Payment): Promise<void>;
}

interface Payment {
  readonly id: string;
  readonly paymentId: string;
}

const BETWEEN_HEARTBEATS = 5_000;

/** A cycle that is booked immediately takes five calls and three commits; otherwise its activity keeps polling. */
export function createBareActivities(db: Pool, calls: ServiceCalls): BareActivities {
  const keepStatus: BareActivities['keepStatus'] = async ({ id, status }) => {
    await db.query('update subscriptions set status = $2 where id = $1', [id, status]);
  };
  const ran = notedInBatches(db);
  return {
    async collect(input) {
      const authorizationId = await sendCycle(db, calls, input);
      const captureId = await whileHeartbeating(() => untilBooked(calls, input.paymentId, authorizationId));
      await finishCycle(db, input, captureId);
      return captureId;
    },
    async nothing({ id }) {
      ran.push({ id, at: new Date().toISOString() });
    },
    async open(id) {
      const paymentId = await calls.open();
      await db.query(`update subscriptions set payment_id = $2, status = 'pending' where id = $1`, [id, paymentId]);
      return paymentId;
    },
    async checkConsent({ id, paymentId }) {
      if (!(await calls.isGranted(paymentId))) throw new Error(`${paymentId} is not granted yet`);
      await keepStatus({ id, status: 'active' });
    },
    keepStatus,
    async cancel({ id, paymentId }) {
      await keepStatus({ id, status: 'cancelling' });
      await calls.endConsent(paymentId);
      if (await calls.isGranted(paymentId)) throw new Error(`the consent of ${paymentId} has not ended`);
      await keepStatus({ id, status: 'cancelled' });
    },
  };
}

const BETWEEN_NOTES = 100;

/** A list whose entries are written as collected attempts every {@link BETWEEN_NOTES} ms, in one statement. */
function notedInBatches(db: Pool): { readonly id: string; readonly at: string }[] {
  const ran: { readonly id: string; readonly at: string }[] = [];
  const note = async () => {
    if (ran.length === 0) return;
    const taken = ran.splice(0);
    await db.query(
      `insert into attempts (id, cycle, state, collected_at) select id, 0, 'collected', at from unnest($1::text[], $2::timestamptz[]) as r (id, at)`,
      [taken.map(({ id }) => id), taken.map(({ at }) => at)],
    );
  };
  setInterval(() => void note(), BETWEEN_NOTES).unref();
  return ran;
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
