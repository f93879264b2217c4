import type { OrderId, PaymentId } from '../../src/domain/ids';
import type { ContradictionOrder } from '../../src/sandbox';
import { resolveOrder } from '../../src/ledger';
import { SETTLE, useWorld, type World } from './activity-world';
import {
  createAuthorized,
  capture,
  orderedCapture,
  orderedPaymentRefund,
  orderSends,
  waitingFor,
} from './payment-world';
import { refusing } from './refusing';
import { refund } from './refund-world';

/**
 * What the service has accepted was made, even if its answer is implausible or cannot be stored (rule 38). One POST leaves for an
 * order, by the simulator's own record, until an operator has said what became of it.
 */

const holder = useWorld({ sandbox: { eventDependentRefunds: true } });

const CENTS = 500;
/** How often a test runs an activity before it acts as the operator. */
const RUNS = 12;

type Kind = 'captures' | 'refunds';
const KINDS = ['refunds', 'captures'] as const;

interface Ordered {
  readonly kind: Kind;
  readonly orderId: OrderId;
  readonly paymentId: PaymentId;
  /** Runs the order's activity until it returns a result or fails, `maxRuns` times at most. */
  readonly run: (maxRuns?: number) => Promise<{ readonly kind: string }>;
}

async function order(world: World, kind: Kind, paymentId: PaymentId, captureId: string | null): Promise<Ordered> {
  if (kind === 'captures') {
    const input = await orderedCapture(world, { paymentId }, CENTS);
    const run = async (maxRuns?: number) => (await capture(world, input, {}, { maxRuns })).result;
    return { kind, orderId: input.orderId, paymentId, run };
  }
  const input = await orderedPaymentRefund(world, { paymentId }, CENTS, captureId);
  const run = async (maxRuns?: number) => (await refund(world, input, {}, { maxRuns })).result;
  return { kind, orderId: input.refundId, paymentId, run };
}

/** Captures 30.00 EUR of a payment. @returns an order of this kind for the payment, and a function that places another */
async function begin(world: World, kind: Kind): Promise<Ordered & { readonly next: () => Promise<Ordered> }> {
  const { paymentId } = await createAuthorized(world);
  const first = await orderedCapture(world, { paymentId }, 3_000);
  expect((await capture(world, first)).result.kind).toBe('successful');
  const serviceId = await serviceIdOf(world, first);
  const next = () => order(world, kind, paymentId, kind === 'refunds' ? serviceId : null);
  return { ...(await next()), next };
}

/** The service's id of the record that it made for an order's first send. */
async function serviceIdOf(world: World, { orderId }: Pick<Ordered, 'orderId'>): Promise<string> {
  const [send] = await orderSends(world, orderId);
  if (send?.serviceId == null) throw new Error(`order ${orderId} has no id of the service`);
  return send.serviceId;
}

function contradict(world: World, { kind: on, paymentId }: Ordered, lie: ContradictionOrder): void {
  world.sandbox.faults.contradict({ ...lie, match: { on, paymentId } });
}

/** How many captures or refunds of the ordered amount the simulated service has made. */
function made(world: World, { kind, paymentId }: Ordered): number {
  const { debits, refunds } = world.sandbox.payment(paymentId);
  const cents = kind === 'captures' ? debits.map(({ amount }) => amount.value) : refunds.map(({ amount }) => amount);
  return cents.filter((each) => each === CENTS).length;
}

/** Expects that the activity returns no result in `RUNS` runs. */
async function expectNoAnswer({ run }: Ordered): Promise<void> {
  await expect(run(RUNS)).rejects.toThrow(`no answer after ${RUNS} runs`);
}

function say(world: World, { orderId }: Ordered, outcome: 'failed' | 'successful', serviceId: string | null = null) {
  const { ledger, clock } = world.deps;
  const said = { outcome, serviceId, evidence: 'bank statement', actor: 'Grace' } as const;
  return resolveOrder(ledger, { orderId, ...said, at: clock.now(), realAt: clock.realNow() });
}

const itemOf = (kind: Kind) => `${kind.slice(0, -1)}_unresolved`;

describe.each(KINDS)('an accepted answer of %s that names an id in use', (kind) => {
  async function sameIdTwice() {
    const { world } = holder;
    const first = await begin(world, kind);
    expect((await first.run()).kind).toBe('successful');
    contradict(world, first, { kind: 'same_id', as: 'previous', times: null });
    return { world, first, second: await first.next() };
  }

  it('an accepted answer that names an id in use leaves the order unresolved with the raw answer and sends nothing again', async () => {
    const { world, first, second } = await sameIdTwice();
    await expectNoAnswer(second);
    expect(made(world, second)).toBe(2);
    const serviceId = await serviceIdOf(world, first);
    expect(await orderSends(world, second.orderId)).toMatchObject([
      { state: 'unresolved', serviceId: null, acceptedAnswer: expect.stringContaining(serviceId) },
    ]);
    const reason = `the service accepted it as ${serviceId}, which belongs to another order`;
    const item = { kind: itemOf(kind), ledger: { state: 'unresolved', detail: reason } };
    expect(await waitingFor(world, second.orderId)).toMatchObject([item]);
  });

  it('an accepted answer that names an id in use blocks every other order of the payment until an operator has resolved it', async () => {
    const { world, second, first } = await sameIdTwice();
    await expectNoAnswer(second);
    const third = await first.next();
    await expectNoAnswer(third);
    expect(made(world, third)).toBe(2);
    expect(await say(world, second, 'failed')).toEqual({ kind: 'resolved' });
    expect((await second.run()).kind).toBe('failed');
    expect(await waitingFor(world, second.orderId)).toEqual([]);
    // The third order is sent next, and its answer names the same id.
    await expectNoAnswer(third);
    expect(made(world, third)).toBe(3);
    expect(await orderSends(world, third.orderId)).toMatchObject([{ state: 'unresolved' }]);
  });

  it('an accepted answer that names an id in use is resolved as successful with an id that no other order has', async () => {
    const { world, first, second } = await sameIdTwice();
    await expectNoAnswer(second);
    const serviceId = await serviceIdOf(world, first);
    expect(await say(world, second, 'successful', serviceId)).toEqual({ kind: 'taken', by: first.orderId });
    expect(await say(world, second, 'successful', 'by-statement')).toEqual({ kind: 'resolved' });
    expect((await second.run()).kind).toBe('successful');
    expect(made(world, second)).toBe(2);
  });
});

const VARIANTS = ['date', 'nul_id', 'long_id'] as const;

describe.each(KINDS)('an accepted answer of %s that cannot be stored', (kind) => {
  it.each(VARIANTS)(
    'an answer that cannot be stored because of its %s is kept raw, and its record is found in the list',
    async (variant) => {
      const { world } = holder;
      const ordered = await begin(world, kind);
      contradict(world, ordered, { kind: 'unstorable_answer', variant });
      expect((await ordered.run()).kind).toBe('successful');
      expect(made(world, ordered)).toBe(1);
      expect(await orderSends(world, ordered.orderId)).toMatchObject([
        { state: 'successful', acceptedAnswer: expect.stringContaining('"amount":{"value":500') },
      ]);
      expect(await waitingFor(world, ordered.orderId)).toEqual([]);
    },
  );

  it.each(VARIANTS)(
    'an order whose answer cannot be stored because of its %s never counts as not made',
    async (variant) => {
      const { world } = holder;
      const ordered = await begin(world, kind);
      contradict(world, ordered, { kind: 'unstorable_answer', variant });
      // The list lacks the newest record: it has the earlier capture, and no refund.
      contradict(world, ordered, { kind: 'list_cut', count: kind === 'captures' ? 1 : 0 });
      await expectNoAnswer(ordered);
      world.clock.pass(SETTLE);
      await expectNoAnswer(ordered);
      expect(made(world, ordered)).toBe(1);
      expect(await orderSends(world, ordered.orderId)).toMatchObject([
        { state: 'unresolved', acceptedAnswer: expect.stringContaining('"amount":{"value":500') },
      ]);
      expect(await waitingFor(world, ordered.orderId)).toMatchObject([{ kind: itemOf(kind) }]);
      expect(await say(world, ordered, 'failed')).toEqual({ kind: 'resolved' });
      expect((await ordered.run()).kind).toBe('failed');
      expect(made(world, ordered)).toBe(1);
    },
  );

  it('an accepted answer that cannot be stored waits for an operator after the settle time if the list is unreadable in the same way', async () => {
    const { world } = holder;
    const ordered = await begin(world, kind);
    contradict(world, ordered, { kind: 'far_date' });
    await expectNoAnswer(ordered);
    world.clock.pass(SETTLE);
    await expectNoAnswer(ordered);
    expect(made(world, ordered)).toBe(1);
    const detail = expect.stringContaining('the service cannot be asked');
    expect(await waitingFor(world, ordered.orderId)).toMatchObject([{ kind: itemOf(kind), ledger: { detail } }]);
    expect(await say(world, ordered, 'successful', 'by-statement')).toEqual({ kind: 'resolved' });
    expect((await ordered.run()).kind).toBe('successful');
    expect(made(world, ordered)).toBe(1);
  });

  it('an accepted answer that the ledger refuses to store is kept raw, and the order is settled once its record is listed', async () => {
    const { world } = holder;
    const ordered = await begin(world, kind);
    await refusing(world, 'order_sends', `order_id <> '${ordered.orderId}' or service_id is null`, () =>
      expectNoAnswer(ordered),
    );
    expect(made(world, ordered)).toBe(1);
    expect(await orderSends(world, ordered.orderId)).toMatchObject([
      { state: 'unresolved', reason: expect.stringContaining('SQLSTATE 23514'), acceptedAnswer: expect.any(String) },
    ]);
    expect((await waitingFor(world, ordered.orderId)).map((item) => item.kind)).toContain(itemOf(kind));
    expect((await ordered.run()).kind).toBe('successful');
    expect(made(world, ordered)).toBe(1);
    expect(await waitingFor(world, ordered.orderId)).toEqual([]);
  });
});

it.each(KINDS)(
  'one of the %s that an operator has found successful does not block later ones, although no list shows it (rule 39)',
  async (kind) => {
    const { world } = holder;
    const vanished = await begin(world, kind);
    contradict(world, vanished, { kind: 'vanishing', delayMs: 1, books: true });
    await expectNoAnswer(vanished);
    world.clock.pass(SETTLE);
    await expectNoAnswer(vanished);
    const serviceId = await serviceIdOf(world, vanished);
    expect(await say(world, vanished, 'successful', serviceId)).toEqual({ kind: 'resolved' });
    expect((await (await vanished.next()).run()).kind).toBe('successful');
  },
);

it('an order whose answer names no record is found in the list, and sent once', async () => {
  const { world } = holder;
  const ordered = await begin(world, 'refunds');
  contradict(world, ordered, { kind: 'unstorable_answer', variant: 'no_id' });
  expect((await ordered.run()).kind).toBe('successful');
  expect(made(world, ordered)).toBe(1);
});

it('two concurrent orders that the service answers with the same id are never both successful', async () => {
  const { world } = holder;
  const first = await begin(world, 'refunds');
  contradict(world, first, { kind: 'same_id', as: 'first', times: null });
  world.sandbox.setWallet(first.paymentId, 'slow-60');
  const second = await first.next();
  // The first order is pending at the service while the second is sent.
  await expect(first.run(3)).rejects.toThrow('no answer');
  await expectNoAnswer(second);
  expect((await first.run()).kind).toBe('successful');
  expect(await orderSends(world, second.orderId)).toMatchObject([{ state: 'unresolved' }]);
  expect(made(world, second)).toBe(2);
});
