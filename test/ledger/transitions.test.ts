import { type AttemptState, isFinal } from '../../src/domain/send';
import { type Outcome, readSend, recordOutcome, type SendRef } from '../../src/ledger';
import { NOW, outcomes, sendOf, startDebit, subscribe, useLedger } from './ledger-fixture';

const STATES = [
  'sending',
  'pending',
  'unknown',
  'unresolved',
  'successful',
  'rejected_retryable',
  'rejected',
  'capture_failed',
  'not_sent',
] as const satisfies readonly AttemptState[];

const ALLOWED = new Set([
  'sending → pending',
  'sending → unknown',
  'sending → unresolved',
  'sending → successful',
  'sending → rejected_retryable',
  'sending → rejected',
  'sending → capture_failed',
  'sending → not_sent',
  'pending → successful',
  'pending → rejected_retryable',
  'pending → rejected',
  'pending → capture_failed',
  'unknown → pending',
  'unknown → successful',
  'unknown → rejected_retryable',
  'unknown → rejected',
  'unknown → capture_failed',
  'unknown → not_sent',
  'unknown → unresolved',
  'unresolved → pending',
  'unresolved → successful',
  'unresolved → rejected_retryable',
  'unresolved → rejected',
  'unresolved → capture_failed',
  'unresolved → not_sent',
]);

const MOVES = STATES.flatMap((from) => STATES.filter((to) => to !== from).map((to) => `${from} → ${to}`));

const ledger = useLedger();

/** Brings a send into a state by SQL alone, through the states that the table allows. */
async function sendIn(state: AttemptState): Promise<SendRef> {
  const ref = await startDebit(ledger.pool, sendOf(await subscribe(ledger.pool)));
  if (state !== 'sending') await move(ref, state);
  return ref;
}

async function move(ref: SendRef, state: AttemptState): Promise<void> {
  const final = isFinal(state);
  await ledger.pool.query(
    `update attempts set state = $2, outcome_at = $3, authorization_id = coalesce(authorization_id, $4)
     where subscription_id = $1`,
    [ref.subscriptionId, state, final ? new Date(NOW) : null, `auth-${ref.subscriptionId}`],
  );
}

test.each(MOVES.filter((each) => ALLOWED.has(each)))('the database itself allows the transition %s', async (name) => {
  const [from, to] = name.split(' → ') as [AttemptState, AttemptState];
  const ref = await sendIn(from);
  await move(ref, to);
  expect((await readSend(ledger.pool, ref))?.state).toBe(to);
});

test.each(MOVES.filter((each) => !ALLOWED.has(each)))('the database itself refuses the transition %s', async (name) => {
  const [from, to] = name.split(' → ') as [AttemptState, AttemptState];
  const ref = await sendIn(from);
  await expect(move(ref, to)).rejects.toThrow(`${from} to ${to} is refused`);
  expect((await readSend(ledger.pool, ref))?.state).toBe(from);
});

test.each(STATES.filter((state) => isFinal(state)))('the database refuses any change of a %s send', async (state) => {
  const ref = await sendIn(state);
  const change = ledger.pool.query(`update attempts set detail = 'other' where subscription_id = $1`, [
    ref.subscriptionId,
  ]);
  await expect(change).rejects.toThrow(`${state} to ${state} is refused`);
});

test.each(STATES.filter((state) => state !== 'sending'))(
  'the database refuses a new send with the state %s',
  async (state) => {
    const { subscriptionId, paymentId } = await subscribe(ledger.pool);
    await startDebit(ledger.pool, sendOf({ subscriptionId, paymentId, payerId: '' }));
    const insert = ledger.pool.query(
      `insert into attempts (subscription_id, cycle, attempt, send, payment_id, amount, due_at, state, at, sending_real_at, owner, authorization_id, outcome_at)
         values ($1, 0, 1, 0, $2, 1, now(), $3, now(), now(), 'w', 'other', $4)`,
      [subscriptionId, `${paymentId}-other`, state, isFinal(state) ? new Date(NOW) : null],
    );
    await expect(insert).rejects.toThrow(`begins as sending, not as ${state}`);
  },
);

test.each([
  ['amount', '1'],
  ['payment_id', `'other'`],
  ['due_at', 'now()'],
  ['at', 'now()'],
  ['sending_real_at', 'now()'],
  ['known_ids', `'{}'`],
  ['owner', `'other'`],
  ['attempt', '1'],
])('the database itself refuses to change %s of a send', async (column, value) => {
  const { subscriptionId } = await sendIn('sending');
  const change = ledger.pool.query(`update attempts set ${column} = ${value} where subscription_id = $1`, [
    subscriptionId,
  ]);
  await expect(change).rejects.toThrow('what was sent does not change');
});

test('the database itself refuses to delete or truncate attempts', async () => {
  const { subscriptionId } = await sendIn('not_sent');
  const remove = ledger.pool.query('delete from attempts where subscription_id = $1', [subscriptionId]);
  await expect(remove).rejects.toThrow('delete on attempts is refused');
  await expect(ledger.pool.query('truncate attempts')).rejects.toThrow('truncate on attempts is refused');
});

test.each(['pending', 'successful', 'capture_failed'] as const)(
  'the database itself accepts no %s send without its authorization',
  async (state) => {
    const { subscriptionId } = await sendIn('sending');
    const change = ledger.pool.query('update attempts set state = $2, outcome_at = $3 where subscription_id = $1', [
      subscriptionId,
      state,
      isFinal(state) ? new Date(NOW) : null,
    ]);
    await expect(change).rejects.toThrow('attempts_debit_is_named');
  },
);

const outcomeStates = STATES.filter((state): state is Outcome['state'] => state !== 'sending');

test.each(STATES.flatMap((from) => outcomeStates.map((to) => [from, to] as const)))(
  'recorded outcomes keep to the table of transitions: %s, then %s',
  async (from, to) => {
    const ref = await sendIn(from);
    const result = await recordOutcome(ledger.pool, ref, outcomes()[to], NOW + 5, {
      type: 'attempt.pending',
      data: {},
    });
    const recorded = ALLOWED.has(`${from} → ${to}`);
    expect(result.kind).toBe(recorded ? 'recorded' : 'unchanged');
    expect(result.send.state).toBe(recorded ? to : from);
    expect(await readSend(ledger.pool, ref)).toEqual(result.send);
  },
);
