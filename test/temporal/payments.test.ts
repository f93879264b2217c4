import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { createPaymentWorkflows, type PaymentWorkflows, type PaymentTimeouts } from '../../src/temporal';
import { createClock } from '../../src/platform/clock';
import type { ChangedPayment } from '../../src/contract/payments';
import { REQUEST_CONSENT } from '../../src/contract/draft-steps';
import type { OrderId } from '../../src/domain/ids';
import { DAY, MINUTE } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import {
  applyPaymentChange,
  getPaymentOfRequest,
  listUnacknowledgedPayments,
  markOrphaned,
  orderCapture,
  type OrderedCapture,
  orderRelease,
  type PaymentRecord,
} from '../../src/ledger';
import { paymentDraftOf } from '../support/drafts';
import { ScriptedPayments } from '../support/scripted-payments';
import { waitUntil } from '../support/wait-until';
import { useTemporalWorld } from './temporal-world';

const world = useTemporalWorld();
const clock = createClock(null);
const ASKED = { actor: 'till', reason: null };

let workflows: PaymentWorkflows;
let scripted: ScriptedPayments;

beforeEach(() => {
  scripted = new ScriptedPayments(world.db, clock);
  workflows = workflowsWith({});
});

function workflowsWith(timeouts: Partial<PaymentTimeouts>): PaymentWorkflows {
  const slow = { createMs: 20_000, releaseMs: 20_000, steerMs: 20_000, checkMs: 20_000, captureEndMs: 500 };
  return createPaymentWorkflows({ ...world.access(), clock, transit: MINUTE, timeouts: { ...slow, ...timeouts } });
}

/** Clients with short waits; the one for a creation is nevertheless long enough for its workflow to start. */
const impatient = () => workflowsWith({ createMs: 3_000, releaseMs: 1_000, steerMs: 1_000, checkMs: 200 });

const withWorker = (work: () => Promise<void>) => world.withWorker(scripted.activities(), work);

const handleOf = ({ workflowId }: { readonly workflowId: string }) => world.env.client.workflow.getHandle(workflowId);

async function createAuthorized(): Promise<PaymentRecord> {
  const wanted = paymentDraftOf(clock);
  expect(await workflows.create(wanted)).toEqual({ kind: 'created' });
  const current = () => getPaymentOfRequest(world.db, wanted.requestId);
  await waitUntil('it is authorized', async () => (await current())?.status === 'authorized');
  return (await current())!;
}

const isRunning = async (of: { readonly workflowId: string }) =>
  (await handleOf(of).describe()).status.name === 'RUNNING';

const unacknowledged = async ({ requestId }: Pick<PaymentRecord, 'requestId'>) =>
  (await listUnacknowledgedPayments(world.db, '', 1000)).filter((each) => each.requestId === requestId);

async function releaseOrdered({ paymentId }: PaymentRecord): Promise<ChangedPayment> {
  const placeCapture = await orderRelease(world.db, { ...ASKED, paymentId, at: clock.now() });
  if (placeCapture.kind !== 'ordered') throw new Error(placeCapture.message);
  return { requestId: placeCapture.requestId, revision: placeCapture.revision };
}

async function ordered({ paymentId }: PaymentRecord, cents = 10_000): Promise<OrderedCapture> {
  const result = await orderCapture(world.db, {
    orderId: `cap_${randomUUID()}` as OrderId,
    paymentId,
    amount: euros(cents),
    finalCapture: false,
    actor: 'till',
    at: clock.now(),
    realAt: clock.realNow(),
    transit: MINUTE,
  });
  if (result.kind !== 'ordered') throw new Error(`not ordered: ${result.kind}`);
  return result.capture;
}

test('a one-time payment is created by its workflow, whose history contains only references', async () => {
  await withWorker(async () => {
    const payment = await createAuthorized();
    const handle = handleOf(payment);
    expect(await (await handle.describe()).staticSummary()).toBe('EVENT_DEPENDENT 100.00 EUR');
    const [started] = (await handle.fetchHistory()).events ?? [];
    const payload = started?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]?.data;
    expect(JSON.parse(Buffer.from(payload as Uint8Array).toString())).toEqual({
      requestId: payment.requestId,
      clock: null,
      step: REQUEST_CONSENT,
    });
    const history = JSON.stringify(await handle.fetchHistory());
    const readable = history.replace(/"data":"([A-Za-z0-9+/=]+)"/g, (_, data: string) =>
      Buffer.from(data, 'base64').toString(),
    );
    expect(readable).toContain(payment.requestId);
    expect(readable).not.toMatch(/Ada|Ring 1|D-10115|shop\.example/);
    expect(
      await workflows.create(paymentDraftOf(clock, { requestId: payment.requestId, workflowId: payment.workflowId })),
    ).toEqual({
      kind: 'exists',
    });
  });
});

test.each([
  ['refuses', { kind: 'refused', detail: 'NO', description: 'not you' }],
  ['is down', { kind: 'unavailable', reason: 'down' }],
] as const)(
  'a request for a payment that the service %s leaves nothing, and can be repeated at once',
  async (kind, outcome) => {
    await withWorker(async () => {
      scripted.service = kind;
      const wanted = paymentDraftOf(clock);
      expect(await workflows.create(wanted)).toEqual(outcome);
      // The workflow of the first request may still run.
      const again = paymentDraftOf(clock, { requestId: wanted.requestId, workflowId: wanted.workflowId });
      expect(await workflows.create(again)).toEqual(outcome);
      scripted.service = 'accepts';
      expect(await workflows.create({ ...again, draftedRealAt: again.draftedRealAt + 1 })).toEqual({ kind: 'created' });
      expect(scripted.requests).toBe(3);
    });
  },
);

test('without a worker a creation is answered as not ready, and a repeated request sends no second one to the service', async () => {
  const wanted = paymentDraftOf(clock);
  expect(await impatient().create(wanted)).toEqual({ kind: 'not_ready' });
  expect(await impatient().create({ ...wanted, draftedRealAt: wanted.draftedRealAt + DAY })).toEqual({
    kind: 'exists',
  });
  await withWorker(() =>
    waitUntil('it is made', async () => (await getPaymentOfRequest(world.db, wanted.requestId)) !== null),
  );
  expect(scripted.requests).toBe(1);
});

test('a payment that the service answers too late for the caller is still created, once', async () => {
  await withWorker(async () => {
    let answer: () => void = () => undefined;
    scripted.mayAnswer = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const wanted = paymentDraftOf(clock);
    expect(await workflowsWith({ createMs: 1_000 }).create(wanted)).toEqual({ kind: 'not_ready' });
    answer();
    const made = async () => (await getPaymentOfRequest(world.db, wanted.requestId)) !== null;
    await waitUntil('it is made', made);
    expect(scripted.requests).toBe(1);
  });
});

test('a capture that takes long is reported as running; requesting it again joins it, and it is made once', async () => {
  await withWorker(async () => {
    const capture = await ordered(await createAuthorized(), 4_000);
    expect(await workflows.runCapture(capture)).toEqual({ kind: 'running' });
    expect(await workflows.startCapture(capture)).toEqual({ kind: 'running' });
    await waitUntil('it is asked for', () => scripted.asked.length > 0);
    scripted.mayEnd = true;
    expect(await workflowsWith({ captureEndMs: 20_000 }).runCapture(capture)).toEqual({ kind: 'running' });
    expect(scripted.asked).toEqual([capture.orderId]);
  });
});

test('a capture is made even if the workflow of its payment has ended', async () => {
  scripted.mayEnd = true;
  await withWorker(async () => {
    const payment = await createAuthorized();
    const capture = await ordered(payment, 4_000);
    await handleOf(payment).terminate();
    expect(await workflows.runCapture(capture)).toEqual({ kind: 'running' });
    await waitUntil('it is asked for', () => scripted.asked.length > 0);
    expect(scripted.asked).toEqual([capture.orderId]);
  });
});

test('a payment without a workflow is restarted from the ledger, unless it is settled', async () => {
  await withWorker(async () => {
    const payment = await createAuthorized();
    expect(await workflows.steer('restart', payment, ASKED)).toMatchObject({ kind: 'refused' });
    await handleOf(payment).terminate();
    expect(await workflows.steer('restart', payment, ASKED)).toEqual({ kind: 'done' });
    expect(await isRunning(payment)).toBe(true);
    await handleOf(payment).terminate();
    const { paymentId } = payment;
    const at = clock.now();
    const { payment: settled } = await applyPaymentChange(world.db, { paymentId, at, patch: { expiredAt: at } });
    expect(await workflows.steer('restart', settled, ASKED)).toMatchObject({ kind: 'refused' });
  });
});

test('a check of a payment is reported as done once the service has answered, and as unavailable if it has not', async () => {
  await withWorker(async () => {
    const payment = await createAuthorized();
    expect(await workflows.steer('check', payment, ASKED)).toEqual({ kind: 'done' });
    scripted.check = async () => ({ changed: null, unavailable: 'down' });
    expect(await workflows.steer('check', payment, ASKED)).toEqual({ kind: 'unavailable', reason: 'down' });
  });
});

test('a check of a payment that takes long is answered before it has ended, and the next check joins it', async () => {
  await withWorker(async () => {
    const payment = await createAuthorized();
    let [checks, isOver] = [0, false];
    scripted.check = async () => {
      checks += 1;
      await waitUntil('it may end', () => isOver);
      return { changed: null };
    };
    const began = performance.now();
    for (let n = 0; n < 2; n += 1)
      expect(await workflowsWith({ checkMs: 800 }).steer('check', payment, ASKED)).toEqual({ kind: 'done' });
    expect(performance.now() - began).toBeGreaterThanOrEqual(1_600);
    expect(checks).toBe(1);
    isOver = true;
  });
});

test('a release is done once it is confirmed, and its revision is acknowledged', async () => {
  await withWorker(async () => {
    const payment = await createAuthorized();
    await releaseOrdered(payment);
    expect(await unacknowledged(payment)).toHaveLength(1);
    expect(await workflows.steer('release', payment, ASKED)).toEqual({ kind: 'done' });
    expect((await getPaymentOfRequest(world.db, payment.requestId))?.releasedAt).not.toBeNull();
    expect(await unacknowledged(payment)).toEqual([]);
  });
});

test('a release is answered within a moment while Temporal is away, and its revision is kept for later', async () => {
  let payment: PaymentRecord;
  await withWorker(async () => {
    payment = await createAuthorized();
  });
  await releaseOrdered(payment!);
  const away = new Client({ connection: Connection.lazy({ address: '127.0.0.1:1' }) });
  const unreachable = createPaymentWorkflows({ ...world.access(), client: away, clock, transit: MINUTE });
  const began = performance.now();
  expect(await unreachable.steer('release', payment!, ASKED)).toEqual({ kind: 'done' });
  expect(performance.now() - began).toBeLessThan(2_000);
  expect(await unacknowledged(payment!)).toHaveLength(1);
  await handleOf(payment!).terminate();
});

test('a release whose workflow is missing starts it again', async () => {
  await withWorker(async () => {
    const payment = await createAuthorized();
    await handleOf(payment).terminate();
    await releaseOrdered(payment);
    expect(await workflows.steer('release', payment, ASKED)).toEqual({ kind: 'done' });
    expect((await getPaymentOfRequest(world.db, payment.requestId))?.status).toBe('released');
  });
});

test('a notification does not start the workflow of an orphan, which an operator has to restart', async () => {
  await withWorker(async () => {
    const payment = await createAuthorized();
    await handleOf(payment).terminate();
    await markOrphaned(world.db, { kind: 'payment', id: payment.paymentId }, clock.now());
    await workflows.notify(await releaseOrdered(payment));
    expect(await isRunning(payment)).toBe(false);
    expect(await unacknowledged(payment)).toHaveLength(1);
  });
});

test('a revision of a payment that has ended counts as acknowledged once its workflow is found ended', async () => {
  await withWorker(async () => {
    const payment = await createAuthorized();
    const changed = await releaseOrdered(payment);
    await handleOf(payment).terminate();
    await applyPaymentChange(world.db, {
      paymentId: payment.paymentId,
      at: clock.now(),
      patch: { releasedAt: clock.now() },
    });
    expect(await unacknowledged(payment)).toHaveLength(1);
    await workflows.notify(changed);
    expect(await unacknowledged(payment)).toEqual([]);
    expect(await isRunning(payment)).toBe(false);
  });
});

test('without a worker a capture is reported as running, and a check or a release as done after a short wait', async () => {
  let payment: PaymentRecord;
  await withWorker(async () => {
    payment = await createAuthorized();
  });
  const late = impatient();
  expect(await late.startCapture(await ordered(payment!, 1_000))).toEqual({ kind: 'running' });
  expect(await late.steer('check', payment!, ASKED)).toEqual({ kind: 'done' });
  expect(await late.steer('release', payment!, ASKED)).toEqual({ kind: 'done' });
  await handleOf(payment!).terminate();
});
