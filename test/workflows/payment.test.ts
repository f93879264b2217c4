import { randomUUID } from 'node:crypto';
import { WithStartWorkflowOperation } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { ConsentRequestResult, DiscardResult } from '../../src/contract/activities';
import {
  type CaptureInput,
  type CaptureProgress,
  type CaptureTurn,
  captureUpdate,
  checkPaymentUpdate,
  type FollowedPayment,
  PAYMENT_WORKFLOW,
  type PaymentActivities,
  type PaymentInput,
  type PaymentLook,
  type PaymentState,
  paymentStateQuery,
  paymentWorkflowId,
  releaseUpdate,
  requestPaymentUpdate,
} from '../../src/contract/payments';
import { DUEDAY_STATUS } from '../../src/contract/workflows';
import type { NoticeId, OrderId, PaymentId } from '../../src/domain/ids';
import { DAY, HOUR } from '../../src/domain/time';
import { euros } from '../../src/domain/money';
import type { PaymentPlan, PaymentStatus } from '../../src/domain/payment/payment';
import type { PathName } from '../replay/paths';
import { historiesOf, recordHistories } from '../replay/recording';
import { startTimeSkippingEnv, testWorkflows } from '../support/temporal';
import { waitUntil } from '../support/wait-until';

/** What the activities answer is played; the workflow decides when which is asked. */
let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await startTimeSkippingEnv();
  const KEYWORD = 2;
  const searchAttributes = Object.fromEntries([[DUEDAY_STATUS.name, KEYWORD]]);
  await env.connection.operatorService.addSearchAttributes({ namespace: env.namespace ?? 'default', searchAttributes });
});
afterAll(() => env.teardown());

const PAYMENT = 'pay_of_the_service' as PaymentId;
const NOTICE = `msg_${randomUUID()}` as NoticeId;

/** Plays the service and the ledger: what was asked, and when, in days since the start. */
class Played implements PaymentActivities {
  readonly asked: [name: string, days: number][] = [];
  status: PaymentStatus = 'pending_consent';
  private startedAt = 0;
  private captureBy: number | null = null;

  constructor(
    private readonly plan: PaymentPlan,
    private readonly answers: {
      readonly request?: ConsentRequestResult;
      /** The ledger has the service's answer, and its worker is gone. */
      readonly diesOnRecord?: boolean;
      /** How often it is still pending, a minute each. */
      readonly pendingFor?: number;
      /** No capture is booked before so many were asked for. */
      readonly booksOnceAsked?: number;
      /** The ledger has none of the captures. */
      readonly hasNoOrder?: boolean;
      readonly followed?: PaymentStatus;
      /** So often captures under way take all that is left: there is no deadline to be told of. */
      readonly nothingLeft?: number;
    },
  ) {}

  async begin(): Promise<void> {
    this.startedAt = await env.currentTimeMs();
  }

  async requestPayment(): Promise<ConsentRequestResult> {
    await this.note('request');
    if (this.answers.diesOnRecord === true) throw new Error('activity Heartbeat timeout');
    return this.answers.request ?? { kind: 'requested', paymentId: PAYMENT, requestedRealAt: this.startedAt };
  }

  async discardPayment(): Promise<DiscardResult> {
    await this.note('discard');
    if (this.answers.diesOnRecord !== true) return { kind: 'discarded' };
    return { kind: 'on_record', paymentId: PAYMENT, requestedRealAt: this.startedAt };
  }

  async followPayment(): Promise<FollowedPayment> {
    await this.note('follow');
    const { pendingFor = 0, followed = this.plan === 'SINGLE' ? 'captured' : 'authorized' } = this.answers;
    if (this.asked.filter(([name]) => name === 'follow').length <= pendingFor) {
      throw ApplicationFailure.create({ type: 'pending', message: 'still', nextRetryDelay: '1 minute' });
    }
    if (followed === 'authorized') this.captureBy = this.startedAt + 7 * DAY;
    return this.become(followed);
  }

  async lookAtPayment(): Promise<PaymentLook> {
    await this.note('look');
    return { kind: 'looked' };
  }

  async capturePayment({ finalCapture, standsBack = false }: CaptureTurn): Promise<CaptureProgress> {
    await this.note(standsBack ? 'capture' : 'follow capture');
    if (this.answers.hasNoOrder === true) throw ApplicationFailure.nonRetryable('no such order', 'not_ordered');
    const { booksOnceAsked = 0 } = this.answers;
    const isPending = this.asked.filter(([name]) => name === 'capture').length < booksOnceAsked;
    if (isPending && standsBack) return { kind: 'pending', status: this.status };
    if (isPending) {
      // Of real time: none is skipped while an update is waited for.
      throw ApplicationFailure.create({ type: 'pending', message: 'still', nextRetryDelay: '100 milliseconds' });
    }
    const { status } = this.become(finalCapture ? 'captured' : 'partly_captured');
    return { kind: 'successful', status };
  }

  async releasePayment(): Promise<FollowedPayment> {
    await this.note('release');
    return this.become('released');
  }

  async announceDeadline(): Promise<NoticeId | null> {
    await this.note('announce');
    const { nothingLeft = 0 } = this.answers;
    return this.asked.filter(([name]) => name === 'announce').length <= nothingLeft ? null : NOTICE;
  }

  async expirePayment(): Promise<FollowedPayment> {
    await this.note('expire');
    return this.become(this.status === 'partly_captured' ? 'captured' : 'expired');
  }

  private become(status: PaymentStatus): FollowedPayment {
    this.status = status;
    return { status, captureBy: this.captureBy, noticeId: null };
  }

  private async note(name: string): Promise<void> {
    this.asked.push([name, Math.round(((await env.currentTimeMs()) - this.startedAt) / (DAY / 24)) / 24]);
  }
}

async function live(
  path: PathName,
  plan: PaymentPlan,
  played: Played,
  story: (handle: ReturnType<typeof env.client.workflow.getHandle>) => Promise<unknown> = async () => undefined,
  begunAs: Partial<PaymentState> = {},
) {
  await played.begin();
  const requestId = `pay_${randomUUID()}`;
  const workflowId = paymentWorkflowId(requestId);
  const taskQueue = `payments-${requestId}`;
  const input: PaymentInput = {
    state: {
      terms: { requestId, plan, amount: euros(10_000), transit: 60_000 },
      paymentId: null,
      requestedRealAt: null,
      status: 'pending_consent',
      captureBy: null,
      deadlineTold: false,
      ...begunAs,
    },
    clock: null,
  };
  const activities = Object.fromEntries(
    (
      [
        ...['requestPayment', 'discardPayment', 'followPayment', 'lookAtPayment', 'capturePayment'],
        ...['releasePayment', 'announceDeadline', 'expirePayment'],
      ] as (keyof PaymentActivities)[]
    ).map((name) => [name, (given: never) => played[name](given)]),
  );
  const worker = await Worker.create({
    connection: env.nativeConnection,
    taskQueue,
    ...testWorkflows(),
    activities,
  });
  return worker.runUntil(async () => {
    const startWorkflowOperation = new WithStartWorkflowOperation(PAYMENT_WORKFLOW, {
      workflowId,
      taskQueue,
      args: [input],
      workflowIdConflictPolicy: 'FAIL',
    });
    const answer = await env.client.workflow.executeUpdateWithStart(requestPaymentUpdate, { startWorkflowOperation });
    const handle = env.client.workflow.getHandle(workflowId);
    const heard = await story(handle);
    await handle.result();
    await recordHistories(env, workflowId, path);
    const [history] = await historiesOf(env.client, workflowId);
    const state = await handle.query(paymentStateQuery);
    const { typedSearchAttributes } = await handle.describe();
    return { answer, heard, state, shown: typedSearchAttributes.get(DUEDAY_STATUS), events: history?.events?.length };
  });
}

function order(cents: number, finalCapture = false): CaptureInput {
  return {
    orderId: `cap_${randomUUID()}` as OrderId,
    paymentId: PAYMENT,
    amount: euros(cents),
    finalCapture,
    orderedAt: 0,
    captureBy: 7 * DAY,
    transit: 60_000,
  };
}

test('Single Immediate is followed to its booking, however long that takes, in one activity', async () => {
  const played = new Played('SINGLE', { pendingFor: 20 });
  const { answer, state, shown, events } = await live('payment booked', 'SINGLE', played);
  expect(answer).toMatchObject({ kind: 'requested', paymentId: PAYMENT });
  expect(state).toMatchObject({ status: 'captured', paymentId: PAYMENT });
  expect(shown).toBe('captured');
  expect(played.asked.map(([name]) => name)).toEqual(['request', ...Array<string>(21).fill('follow')]);
  expect(events).toBeLessThan(25);
});

test('a payer who declines ends it', async () => {
  const played = new Played('SINGLE', { followed: 'consent_failed' });
  expect((await live('payment declined', 'SINGLE', played)).state.status).toBe('consent_failed');
});

test('a request that the service refuses leaves nothing, and is answered with its words', async () => {
  const request = { kind: 'refused', detail: 'INVALID_REQUEST', description: 'no' } as const;
  const played = new Played('EVENT_DEPENDENT', { request });
  const { answer } = await live('payment refused', 'EVENT_DEPENDENT', played);
  expect(answer).toEqual(request);
  expect(played.asked.map(([name]) => name)).toEqual(['request', 'discard']);
});

test('a request that is on record, its worker gone, is answered with that payment, and goes on', async () => {
  const played = new Played('SINGLE', { diesOnRecord: true });
  const { answer, state } = await live('payment on record', 'SINGLE', played);
  expect(answer).toMatchObject({ kind: 'requested', paymentId: PAYMENT });
  expect(state).toMatchObject({ status: 'captured', paymentId: PAYMENT });
  expect(played.asked.map(([name]) => name)).toEqual(['request', 'discard', 'follow']);
});

test('captures are made as they are ordered, and the final one ends it', async () => {
  const played = new Played('EVENT_DEPENDENT', {});
  const { heard, state } = await live('payment captured in parts', 'EVENT_DEPENDENT', played, async (handle) => {
    await handle.executeUpdate(checkPaymentUpdate);
    await env.sleep('1 day');
    const first = await handle.executeUpdate(captureUpdate, { args: [order(3_000)] });
    const second = await handle.executeUpdate(captureUpdate, { args: [order(3_000)] });
    const last = await handle.executeUpdate(captureUpdate, { args: [order(2_000, true)] });
    return [first, second, last].map(({ status }) => status);
  });
  expect(heard).toEqual(['partly_captured', 'partly_captured', 'captured']);
  expect(state.status).toBe('captured');
  expect(played.asked.map(([name]) => name)).toEqual(['request', 'follow', 'look', 'capture', 'capture', 'capture']);
});

test('one whose booking takes long lets the next one go, and is followed to its end', async () => {
  const played = new Played('EVENT_DEPENDENT', { booksOnceAsked: 2 });
  const path = 'payment followed to the end of a pending capture';
  const { heard, state } = await live(path, 'EVENT_DEPENDENT', played, async (handle) => {
    await handle.executeUpdate(checkPaymentUpdate);
    const slow = await handle.executeUpdate(captureUpdate, { args: [order(3_000)] });
    await waitUntil('it is followed', () => played.asked.some(([name]) => name === 'follow capture'));
    const quick = await handle.executeUpdate(captureUpdate, { args: [order(2_000)] });
    await handle.executeUpdate(captureUpdate, { args: [order(1_000, true)] });
    return [slow.kind, quick.kind];
  });
  expect(heard).toEqual(['pending', 'successful']);
  expect(state.openCaptures).toEqual([]);
  expect(played.asked.filter(([name]) => name === 'capture')).toHaveLength(3);
});

test('as many as are ordered may be pending at once, and the payment ends behind the last', async () => {
  const many = 15;
  const played = new Played('EVENT_DEPENDENT', { booksOnceAsked: many + 1 });
  const path = 'payment with many captures pending at once';
  const { heard, state } = await live(path, 'EVENT_DEPENDENT', played, async (handle) => {
    await handle.executeUpdate(checkPaymentUpdate);
    const kinds: string[] = [];
    for (let n = 0; n < many; n += 1) {
      kinds.push((await handle.executeUpdate(captureUpdate, { args: [order(100)] })).kind);
    }
    const { openCaptures } = await handle.query(paymentStateQuery);
    kinds.push((await handle.executeUpdate(captureUpdate, { args: [order(100, true)] })).kind);
    return { kinds, open: openCaptures?.length };
  });
  expect(heard).toEqual({ kinds: [...Array<string>(many).fill('pending'), 'successful'], open: many });
  expect(state.openCaptures).toEqual([]);
});

describe('begun anew with a capture that is open', () => {
  const settled = { paymentId: PAYMENT, requestedRealAt: 0, status: 'captured' } as const;

  test('the payment takes it up before it ends', async () => {
    const played = new Played('EVENT_DEPENDENT', {});
    const path = 'payment begun anew with an open capture';
    const { state } = await live(path, 'EVENT_DEPENDENT', played, undefined, {
      ...settled,
      openCaptures: [order(3_000, true)],
    });
    expect(played.asked.map(([name]) => name)).toEqual(['capture']);
    expect(state).toMatchObject({ status: 'captured', openCaptures: [] });
  });

  test('and followed where it is pending still', async () => {
    const played = new Played('EVENT_DEPENDENT', { booksOnceAsked: 2 });
    const path = 'payment begun anew with captures that are pending';
    const openCaptures = [order(3_000), order(2_000)];
    await live(path, 'EVENT_DEPENDENT', played, undefined, { ...settled, openCaptures });
    expect(played.asked.map(([name]) => name).filter((name) => name === 'capture')).toHaveLength(2);
    expect(played.asked.map(([name]) => name)).toContain('follow capture');
  });

  test('one that the ledger does not have is left alone', async () => {
    const played = new Played('EVENT_DEPENDENT', { hasNoOrder: true });
    const path = 'payment begun anew with a capture that is not ordered';
    const { state } = await live(path, 'EVENT_DEPENDENT', played, undefined, {
      ...settled,
      openCaptures: [order(3_000)],
    });
    expect(played.asked.map(([name]) => name)).toEqual(['capture']);
    expect(state).toMatchObject({ status: 'captured', openCaptures: [] });
  });
});

test('a release ends it', async () => {
  const played = new Played('EVENT_DEPENDENT', {});
  const { state } = await live('payment released', 'EVENT_DEPENDENT', played, async (handle) => {
    await env.sleep('2 days');
    await handle.executeUpdate(releaseUpdate);
  });
  expect(state.status).toBe('released');
  expect(played.asked.map(([name]) => name)).toEqual(['request', 'follow', 'release']);
});

test('left alone, the merchant is told 24 h before the deadline, and at the deadline it expires', async () => {
  const played = new Played('EVENT_DEPENDENT', {});
  const { state } = await live('payment expired', 'EVENT_DEPENDENT', played);
  expect(state).toMatchObject({ status: 'expired', deadlineTold: true });
  expect(played.asked).toEqual([
    ['request', 0],
    ['follow', 0],
    ['announce', 6],
    ['expire', 7],
  ]);
});

test('where captures under way take all that is left, the merchant is told once one of them has ended', async () => {
  const played = new Played('EVENT_DEPENDENT', { nothingLeft: 1 });
  const { state } = await live('payment told of its deadline late', 'EVENT_DEPENDENT', played, async (handle) => {
    await env.sleep(6 * DAY + 12 * HOUR);
    await handle.executeUpdate(captureUpdate, { args: [order(3_000)] });
  });
  expect(state).toMatchObject({ status: 'captured', deadlineTold: true });
  expect(played.asked.map(([name]) => name)).toEqual([
    ...['request', 'follow', 'announce', 'capture', 'announce', 'expire'],
  ]);
});

test('captured in part, it ends at the deadline with what it has', async () => {
  const played = new Played('EVENT_DEPENDENT', {});
  const { state } = await live('payment captured at its deadline', 'EVENT_DEPENDENT', played, async (handle) => {
    await env.sleep(6 * DAY + 12 * HOUR);
    await handle.executeUpdate(captureUpdate, { args: [order(3_000)] });
  });
  expect(state.status).toBe('captured');
  expect(played.asked.at(-1)).toEqual(['expire', 7]);
});
