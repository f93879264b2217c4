import { recordSideEffect, reopenRefused } from '../../activities/collect/debit-records';
import { SendRow } from '../../activities/collect/send-row';
import { MINUTE, toIso } from '../../src/domain/time';
import { knownAuthorizations, listAttention } from '../../src/ledger';
import { AMOUNT, type Subscribed, useWorld, type World } from './activity-world';
import { createRefusedTwice, revivedOf } from './refused-debits';

/** What an attempt records about other authorizations of its payment. */

const holder = useWorld();

const known = (world: World, { paymentId }: Subscribed) => knownAuthorizations(world.deps.ledger, paymentId);
const states = async (world: World, subscribed: Subscribed) =>
  (await known(world, subscribed)).toSorted((one, other) => one.attempt - other.attempt).map(({ state }) => state);
const items = async (world: World) => (await listAttention(world.deps.ledger, {}, { limit: 10, cursor: null })).items;

/** Two attempts of the first cycle that the bank has refused. */
async function openRefusedTwice() {
  const { world } = holder;
  const subscribed = await createRefusedTwice(world);
  expect(await states(world, subscribed)).toEqual(['rejected_retryable', 'rejected_retryable']);
  return { world, subscribed, refused: await known(world, subscribed) };
}

it('only the refused authorization that is listed again is reopened', async () => {
  const { world, subscribed, refused } = await openRefusedTwice();
  const second = refused.find(({ attempt }) => attempt === 1)!;
  await reopenRefused(world.deps, subscribed, revivedOf(second), { asker: 'workflow' });
  expect(await states(world, subscribed)).toEqual(['rejected_retryable', 'pending']);
});

it('a refused authorization is reopened once, and one that the ledger lacks not at all', async () => {
  const { world, subscribed, refused } = await openRefusedTwice();
  const [first] = refused;
  for (let times = 0; times < 2; times += 1)
    await reopenRefused(world.deps, subscribed, revivedOf(first!), { asker: 'workflow' });
  await reopenRefused(world.deps, subscribed, revivedOf({ ...first!, id: 'auth-unknown' }), {
    asker: 'caller',
  });
  expect(await world.events(subscribed, 'attempt.reopened')).toHaveLength(1);
});

it('reopening a refused authorization notifies the workflow, unless the workflow itself asked for it', async () => {
  const { world, subscribed, refused } = await openRefusedTwice();
  const before = await world.revision(subscribed);
  await reopenRefused(world.deps, subscribed, revivedOf(refused[0]!), { asker: 'workflow' });
  expect(await world.revision(subscribed)).toBe(before);
  await reopenRefused(world.deps, subscribed, revivedOf(refused[1]!), { asker: 'caller' });
  expect(await world.revision(subscribed)).toBe(before + 1);
});

/** What an attempt of the subscription passes on when it records a side effect. */
const recordingOf = (world: World, subscribed: Subscribed) =>
  ({ deps: world.deps, input: { ...subscribed, cycle: 0, attempt: 0 }, row: new SendRow() }) as never;

it('a successful debit that is listed as failed opens an item with both records, and other debits of the payment open none', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  await world.collect(world.input(subscribed));
  world.clock.passUntil(subscribed.dueAt + 31 * 24 * 60 * MINUTE);
  await world.collect(world.input(subscribed, { cycle: 1 }));
  const debits = await known(world, subscribed);
  expect(debits.map(({ state }) => state)).toEqual(['successful', 'successful']);
  const second = debits.find(({ cycle }) => cycle === 1)!;
  const shown = { id: second.id, status: 'failed', createdAt: second.createdAt, amount: second.amount };
  const found = [
    { known: second, listed: shown },
    { known: { ...second, id: 'auth-unknown' }, listed: shown },
  ];
  await recordSideEffect(recordingOf(world, subscribed), { kind: 'failed_again', found } as never);
  expect(await items(world)).toMatchObject([
    {
      kind: 'contradiction',
      subscriptionId: subscribed.subscriptionId,
      cycle: 1,
      amount: second.amount,
      ledger: {
        state: 'successful',
        at: toIso(second.createdAt!),
      },
      service: {
        state: 'failed',
        at: toIso(second.createdAt!),
        detail: `${second.id} was successful; the service now lists it as failed. Compare the captures before you refund anything.`,
      },
    },
  ]);
});

it('an authorization that was refused and is listed as failed opens no item', async () => {
  const { world, subscribed, refused } = await openRefusedTwice();
  const before = (await items(world)).length;
  const [known] = refused;
  const found = [{ known, listed: { id: known!.id, status: 'failed', createdAt: known!.createdAt, amount: AMOUNT } }];
  await recordSideEffect(recordingOf(world, subscribed), { kind: 'failed_again', found } as never);
  expect(await items(world)).toHaveLength(before);
});

it('a contradiction about the attempt itself opens an item with the records of ledger and service', async () => {
  const { world } = holder;
  const subscribed = await world.due();
  await world.collect(world.input(subscribed));
  const [row] = await world.sends(subscribed);
  const recording = recordingOf(world, subscribed) as { row: SendRow };
  recording.row.replace(row!);
  const record = {
    id: row!.authorizationId,
    status: 'failed',
    createdAt: row!.authorizationCreatedAt,
    amount: row!.amount,
  };
  const sideEffect = { kind: 'contradiction', record, detail: 'both are final' } as never;
  await recordSideEffect(recording as never, sideEffect);
  expect(await items(world)).toMatchObject([
    {
      kind: 'contradiction',
      cycle: 0,
      ledger: { state: 'successful', at: toIso(row!.at) },
      service: { state: 'failed' },
    },
  ]);
});
