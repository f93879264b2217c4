import { createActivities, type WorkerDependencies } from '../../activities';
import { listAttention, type Pool } from '../../src/ledger';
import { useWorld } from './activity-world';

/** The guard against refused writes covers every activity: each runs on a ledger that refuses all its statements (rule 43). */

const holder = useWorld();

const EVERY = Object.keys(createActivities({} as WorkerDependencies)) as (keyof ReturnType<typeof createActivities>)[];
/** The only activity that does not use the ledger. */
const WITHOUT_LEDGER = 'decideDaily';

/** An input with every field that any activity reads before it uses the ledger. */
const INPUT = {
  ...{ subscriptionId: 'sub_none', paymentId: 'pay_none', requestId: 'req_none', noticeId: 'msg_none' },
  ...{ orderId: 'cap_none', refundId: 'ref_none', runId: 'a5b8b0f4-6d5c-4b8e-9c5a-000000000000' },
  ...{ cycle: 0, attempt: 0, dueAt: 0, collectBy: 0, sendBefore: 0, retryAt: 0, retryUntil: 0, sessionEndsRealAt: 0 },
  ...{ at: 0, knownUnresolved: false, settleOnly: false, parked: false, events: [], amount: { value: 1 } },
  ...{ rejection: { attempt: 0, detail: '', description: '' }, previousAmount: { value: 1 }, requestedAt: 0 },
  ...{ period: { from: 0, to: 1 }, timeout: 1, announce: false, actor: 'dueday', after: null, dueBy: 0 },
  ...{ key: 'none', outcome: 'failed', evidence: 'none', authorizationId: null, captureId: null },
};

/** Refuses all statements except those that open the attention item or read something for it. */
function refusingAll(ledger: Pool): Pool {
  const isOfItem = (text: unknown) =>
    /^(begin|commit|rollback)$|attention_items|merchant_events|^select request_id, payment_id from payments where request_id/.test(
      String(text),
    );
  const guard = (target: Pool): Pool =>
    new Proxy(target, {
      get(pool, name) {
        if (name === 'connect') return async () => guard((await pool.connect()) as unknown as Pool);
        const own = Reflect.get(pool, name) as unknown;
        if (name !== 'query') return typeof own === 'function' ? (own.bind(pool) as unknown) : own;
        return async (text: string, values?: unknown[]) => {
          if (isOfItem(text)) return pool.query(text, values);
          throw Object.assign(new Error('value too long'), { code: '22001', column: 'of_the_test' });
        };
      },
    });
  return guard(ledger);
}

it.each(EVERY.filter((name) => name !== WITHOUT_LEDGER))(
  '%s opens an item if the ledger refuses its write',
  async (name) => {
    const { world } = holder;
    const ledger = refusingAll(world.deps.ledger);
    const activities = createActivities({ ...world.deps, ledger, steering: ledger });
    const run = activities[name] as (input: unknown) => Promise<unknown>;
    const ended = await world.driver.once(() => run(INPUT)).catch((error: unknown) => error);
    expect(ended).not.toMatchObject({ type: 'fault' });
    const { items } = await listAttention(world.deps.ledger, { kind: 'unrecordable' }, { limit: 50, cursor: null });
    expect(new Set(items.map(({ ledger: said }) => said?.detail))).toEqual(
      new Set([`the ledger refused a write of ${name}: SQLSTATE 22001 at of_the_test`]),
    );
  },
);
