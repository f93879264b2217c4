/**
 * A plain loop over due rows, as one would write it without Temporal, as a separate process. Each lane locks the row of a
 * subscription while collecting its cycle; if the process dies, PostgreSQL unlocks the rows when its connections end. Prints
 * `loop runs` when it has started.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Pool, type PoolClient } from 'pg';
import { createCalls, type ServiceCalls } from './calls';
import { finishCycle, sendCycle, untilBooked } from './collecting';

const { DATABASE_URL: connectionString = '', SERVICE_URL: service = '', SERVICE_RATE = '' } = process.env;
const LANES = 16;
const BETWEEN_LOOKS = 500;
const CENTS = 1999;
const WEEK = 7 * 24 * 60 * 60 * 1000;

interface Due {
  readonly id: string;
  readonly payment_id: string;
  readonly next_cycle: number;
}

/** What one lane uses. `held` locks its row in a transaction; sends are committed independently of it, through `db`. */
interface Lane {
  readonly held: PoolClient;
  readonly db: Pool;
  readonly calls: ServiceCalls;
}

async function collectNext({ held, db, calls }: Lane): Promise<boolean> {
  await held.query('begin');
  const { rows } = await held.query<Due>(
    `select id, payment_id, next_cycle from subscriptions where status = 'active' and due_at <= now()
     order by due_at limit 1 for update skip locked`,
  );
  const [due] = rows;
  if (due !== undefined) {
    const { id, payment_id: paymentId, next_cycle: cycle } = due;
    const authorizationId = await sendCycle(db, calls, { id, paymentId, cents: CENTS, cycle });
    await finishCycle(held, { id, cycle, interval: WEEK }, await untilBooked(calls, paymentId, authorizationId));
  }
  await held.query('commit');
  return due !== undefined;
}

async function main(): Promise<void> {
  const locks = new Pool({ connectionString, max: LANES });
  const db = new Pool({ connectionString, max: Number(process.env['DATABASE_POOL_SIZE']) });
  const calls = createCalls(service, Number(SERVICE_RATE));
  const lane = async () => {
    const held = await locks.connect();
    for (;;) if (!(await collectNext({ held, db, calls }))) await pause(BETWEEN_LOOKS);
  };
  const lanes = Array.from({ length: LANES }, lane);
  process.stdout.write('loop runs\n');
  await Promise.all(lanes);
}

void main();
