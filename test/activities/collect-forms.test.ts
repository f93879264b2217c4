import { outcomeOf, sendOf } from '../../activities/collect/debit-forms';
import { recordSideEffect } from '../../activities/collect/debit-records';
import { ActionExecutor, type Run } from '../../activities/collect/action-executor';
import { SendRow } from '../../activities/collect/send-row';
import type { Observation } from '../../src/domain/attempt/action';
import type { Facts } from '../../src/domain/attempt/attempt';
import type { AttemptRecord } from '../../src/ledger';

/** How rows and outcomes are translated between the ledger and the state machine, and the errors for what only a bug can cause. */

const ROW = {
  authorizationId: 'auth-1',
  authorizationCreatedAt: 7,
  refusedAs: null,
  resolvedBy: null,
  state: 'pending',
} as unknown as AttemptRecord;

test('a row shows whether it was refused before, and whether an operator has resolved it', () => {
  expect(sendOf(ROW)).toMatchObject({ id: 'auth-1', createdAt: 7, wasRefused: false, isResolved: false });
  expect(sendOf({ ...ROW, refusedAs: 'rejected' })).toMatchObject({ wasRefused: true, isResolved: false });
  expect(sendOf({ ...ROW, resolvedBy: 'Grace' })).toMatchObject({ wasRefused: false, isResolved: true });
});

const BOOKED = { state: 'successful', id: 'auth-1', captureId: 'cap-1', at: 5 } as never;

test.each([
  ['is left unchanged if the caller gives none', undefined, {}],
  ['is null if no due date follows', null, { nextDueAt: null }],
  ['is the one that the caller gives', 9, { nextDueAt: 9 }],
])('the next due date after a successful debit %s', (_what, nextDueAt, expected) => {
  expect(outcomeOf(BOOKED, nextDueAt)).toEqual({
    state: 'successful',
    authorizationId: 'auth-1',
    captureId: 'cap-1',
    at: 5,
    ...expected,
  });
});

test('a successful debit without a capture is an error', () => {
  const settled = { state: 'successful', id: 'auth-1', at: 5 } as never;
  expect(() => outcomeOf(settled, null)).toThrow('a debit is successful by its capture');
});

test('a debit whose capture failed keeps its authorization', () => {
  const settled = {
    state: 'capture_failed',
    id: 'auth-1',
    captureId: 'cap-1',
    detail: 'D',
    description: 'why',
  } as never;
  expect(outcomeOf(settled, null)).toEqual({
    state: 'capture_failed',
    authorizationId: 'auth-1',
    captureId: 'cap-1',
    detail: 'D',
    description: 'why',
  });
});

test('an outcome without a row is an error', () => {
  const row = new SendRow();
  expect(row.record).toBeNull();
  expect(row.send).toBeNull();
  expect(() => row.requireRecord()).toThrow('an outcome for an attempt that was never sent');
  expect(row.replace(ROW)).toMatchObject({ id: 'auth-1' });
  expect(row.requireRecord()).toBe(ROW);
});

const FACTS = { send: null, done: new Set() } as unknown as Facts;
const executorFor = (noun: 'attempt' | 'order') =>
  new ActionExecutor({ subject: { noun, key: 'sub-1/0/0' } } as unknown as Run, null);

test.each(['give_up'] as const)('an action for orders is an error for a debit: %s', async (kind) => {
  await expect(executorFor('attempt').execute({ kind }, FACTS)).rejects.toThrow(
    'attempt sub-1/0/0: the action is one for orders',
  );
});

test.each(['follow_reopened', 'poll_reopened'] as const)(
  'an action for debits is an error for an order: %s',
  async (kind) => {
    await expect(executorFor('order').execute({ kind }, FACTS)).rejects.toThrow(
      'order sub-1/0/0: the action is one for debits',
    );
  },
);

test('an action on a send is an error if nothing was sent', async () => {
  await expect(executorFor('attempt').execute({ kind: 'poll' }, FACTS)).rejects.toThrow(
    'the action needs a send, but there is none',
  );
});

test('a record that the ledger does not adopt leaves the attempt unresolved, with the reason', async () => {
  const subject = { noun: 'attempt', key: 'sub-1/0/0', adopt: async () => false };
  const executor = new ActionExecutor({ subject } as unknown as Run, null);
  const record = { id: 'auth-1' } as never;
  expect(await executor.execute({ kind: 'adopt', record, otherwise: 'found auth-1' }, FACTS)).toEqual({
    kind: 'answer',
    result: { kind: 'unresolved', reason: 'found auth-1' },
    sideEffects: [],
  });
});

test.each(['operator', 'overdue'] as const)('a side effect for orders is an error for a debit: %s', async (kind) => {
  const recording = { deps: {}, input: {}, row: new SendRow() } as never;
  await expect(recordSideEffect(recording, { kind, reason: 'why' })).rejects.toThrow(
    `${kind} is a side effect for orders`,
  );
});

test('a contradiction without a row is an error', async () => {
  const recording = { deps: {}, input: {}, row: new SendRow() } as never;
  const sideEffect = { kind: 'contradiction', record: { id: 'auth-1' }, detail: 'why' } as never;
  await expect(recordSideEffect(recording, sideEffect)).rejects.toThrow(
    'a contradiction needs an authorization that the ledger has',
  );
});

const SEEN = {} as Observation;

/** Another worker has changed the row since the facts were read. */
test.each(['sending', 'unknown', null] as const)('an action on a row that is now %s is stale', async (state) => {
  const send = state === null ? null : { state };
  const subject = { noun: 'attempt', key: 'k', observe: async () => send, countAbsence: async () => send };
  const executor = new ActionExecutor({ subject } as unknown as Run, null);
  const facts = { ...FACTS, send: { state: 'pending' } } as unknown as Facts;
  expect(await executor.execute({ kind: 'observe', seen: SEEN }, facts)).toEqual({
    kind: 'stale',
  });
  expect(await executor.execute({ kind: 'count_absence', absent: true }, facts)).toEqual({ kind: 'stale' });
});

test.each([
  [true, undefined, 'answer'],
  [false, undefined, 'stale'],
  [false, true, 'answer'],
] as const)('an outcome (written: %s, evenIfNotWritten: %s) leads to the end "%s"', async (written, even, kind) => {
  const then = { kind: 'answer', result: { kind: 'absent' }, sideEffects: [] } as never;
  const subject = { noun: 'attempt', key: 'k', settle: async () => written };
  const executor = new ActionExecutor({ subject } as unknown as Run, null);
  const facts = { ...FACTS, send: { state: 'unknown' } } as unknown as Facts;
  const outcome = { state: 'not_sent', reason: 'why' } as const;
  const action = {
    kind: 'settle',
    outcome,
    then,
    ...(even === undefined ? {} : { evenIfNotWritten: even }),
  } as never;
  expect(await executor.execute(action, facts)).toMatchObject({ kind });
});

test.each([
  [false, { kind: 'reopened' }, { kind: 'new_facts', facts: { own: null } }],
  [false, null, { kind: 'new_facts', facts: { own: null } }],
  [true, null, { kind: 'stale' }],
  [true, { kind: 'reopened' }, { kind: 'answer', result: { kind: 'reopened' }, sideEffects: [] }],
] as const)(
  'reopening a refused record, with blocksAttempt %s and the result %j, ends with %j',
  async (blocksAttempt, result, end) => {
    const subject = { noun: 'attempt', key: 'k', reopen: async () => result };
    const executor = new ActionExecutor({ subject } as unknown as Run, null);
    expect(await executor.execute({ kind: 'reopen', again: {} as never, blocksAttempt }, FACTS)).toEqual(end);
  },
);

test.each([null, { state: 'pending' }] as const)(
  'following a reopened attempt continues with its send in the ledger, or is stale without one: %j',
  async (send) => {
    const subject = { noun: 'attempt', key: 'k', readReopened: async () => send };
    const executor = new ActionExecutor({ subject } as unknown as Run, null);
    expect(await executor.execute({ kind: 'follow_reopened' }, FACTS)).toEqual(
      send === null ? { kind: 'stale' } : { kind: 'new_facts', facts: { send, reopened: null } },
    );
  },
);
