import type { Dependencies } from '../../activities';
import type { Step } from '../../src/contract/steps';
import type { PaymentService } from '../../src/payment-service';
import { SETTLE, useWorld, type World } from '../activities/activity-world';
import { Crash } from '../activities/activity-driver';
import { hookedPool, INSERTS_SEND, RECORDS_OUTCOME } from '../activities/crash-points';

const holder = useWorld();

function crash(where: string): never {
  throw new Crash(`kill -9 ${where}`);
}

/** The service as a worker calls it that dies at its first POST, once. */
function dyingAtPost(world: World, when: 'before' | 'after'): Dependencies['service'] {
  let alive = true;
  const initiate: PaymentService['initiate'] = async (...call) => {
    const die = alive;
    alive = false;
    if (die && when === 'before') crash('before the POST');
    const answer = await world.deps.service.initiate(...call);
    if (die) crash('after the POST');
    return answer;
  };
  return world.service({ initiate });
}

type CrashPoint = [row: string, name: string, deps: (world: World) => Partial<Dependencies>];

/** killed.test.ts kills processes at the points of faults 1 to 5; the points here are at most one statement away. */
it.each<CrashPoint>([
  [
    'fault 1',
    'with its row written and not committed',
    ({ deps }) => ({ ledger: hookedPool(deps.ledger, { matches: INSERTS_SEND, after: () => crash('in the row') }) }),
  ],
  [
    'fault 2',
    'with its row committed and the workflow not notified',
    ({ deps }) => ({
      ledger: hookedPool(deps.ledger, { matches: /^commit/, after: () => crash('at the commit') }, INSERTS_SEND),
    }),
  ],
  [
    'fault 4',
    'with its outcome written and not committed',
    ({ deps }) => ({
      ledger: hookedPool(deps.ledger, { matches: RECORDS_OUTCOME, after: () => crash('in the outcome') }),
    }),
  ],
  [
    'fault 4',
    'with its outcome committed and the workflow not notified',
    ({ deps }) => ({
      ledger: hookedPool(deps.ledger, { matches: /^commit/, after: () => crash('at the commit') }, RECORDS_OUTCOME),
    }),
  ],
])('%s: a worker that dies %s leaves one debit, which the ledger has', async (_row, _name, depsOf) => {
  const { world } = holder;
  const subscribed = await world.due();
  const { result, stops } = await world.collect(world.input(subscribed), depsOf(world));
  expect(stops.filter(({ type }) => type === 'crash')).toHaveLength(1);
  expect(result).toMatchObject({ kind: 'collected', authorizationId: world.debits(subscribed)[0]?.authorizationId });
  expect(world.posts(subscribed)).toBe(1);
  await world.expectLedgerEqual(subscribed, 1);
});

it('fault 2: after a worker has died between the row and the POST, dueday asks the service for the settle time before it sends again', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  await world.collect(world.input(subscribed), { service: dyingAtPost(world, 'before') });
  const [first, second] = await world.sends(subscribed);
  expect(first).toMatchObject({
    state: 'not_sent',
    absentChecks: 2,
    reason: expect.stringContaining('twice in a row'),
  });
  expect(second!.sendingRealAt - first!.sendingRealAt).toBeGreaterThan(SETTLE);
});

it('fault 5: after a worker has died before Temporal received its answer, the stored answer is returned', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const activities = world.activities();
  let told: Step | null = null;
  const { result } = await world.driver.drive(async () => {
    const answer = await activities.collectPayment(world.input(subscribed));
    if (told !== null) return answer;
    told = answer;
    return crash('before Temporal has its answer');
  });
  // Only the run that collects returns the position in the audit log, not a run that returns the stored answer.
  const { mark, ...next } = told!;
  expect(mark).toBeDefined();
  expect(result).toEqual(next);
  expect(world.posts(subscribed)).toBe(1);
});

it('fault 3: a rejection is found after a worker has died before it stored it', async () => {
  const { world } = holder;
  const subscribed = await world.due('insufficient-funds-once');
  const { result } = await world.collect(world.input(subscribed), { service: dyingAtPost(world, 'after') });
  expect(result).toMatchObject({ kind: 'rejected', retryable: true });
  expect(world.posts(subscribed)).toBe(1);
});

it('fault 17: no POST is sent while PostgreSQL fails before the row', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  const before = (): never => {
    throw new Error('the database is gone');
  };
  const ledger = hookedPool(world.deps.ledger, { matches: INSERTS_SEND, before });
  const { result } = await world.collect(
    world.input(subscribed),
    { ledger },
    {
      onStop: ({ type }) => {
        if (type === 'fault') expect(world.posts(subscribed)).toBe(0);
      },
    },
  );
  expect(result.kind).toBe('collected');
  await world.expectLedgerEqual(subscribed, 1);
});
