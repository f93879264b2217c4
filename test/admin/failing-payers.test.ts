import { DAY, HOUR, toIso } from '../../src/domain/time';
import type { CycleStatus } from '../../src/domain/subscription/state';
import type { Scope } from '../../src/ledger';
import { emptyLedger } from '../support/empty-ledger';
import { type AdminUnderTest, eachItems, faultPaths, NOW, startAdmin } from './admin-under-test';
import { order } from './order';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
beforeEach(() => emptyLedger(admin.db));
afterAll(() => admin.stop());

interface Failing {
  readonly status?: CycleStatus;
  readonly state?: string;
  readonly detail?: string;
  readonly adopted?: boolean;
}

/** Creates an active subscription whose first cycle was refused. */
async function createFailing(subscriptionId: string, payer: object, refused: Failing = {}): Promise<void> {
  const { status = 'failed', state = 'rejected', detail = 'AUTHORIZATION_REJECTION_FINAL', adopted = false } = refused;
  const created = await admin.call('POST', '/v1/subscriptions', { body: order({ subscriptionId, payer }) });
  if (created.statusCode !== 201) throw new Error(created.body);
  await admin.db.query(
    `update subscriptions set status = 'active', past_due = $2, dunning = not $2, next_due_at = first_payment_at + interval '1 month'
     where subscription_id = $1`,
    [subscriptionId, status === 'failed'],
  );
  await admin.db.query(
    `insert into cycles (subscription_id, cycle, due_at, collect_by, amount, status, next_attempt_at, collected_at)
     values ($1, 0, $2, $3, 1999, $4, case when $4 = 'dunning' then $3::timestamptz end, case when $4 = 'collected' then now() end)`,
    [subscriptionId, toIso(NOW), toIso(NOW + DAY), status],
  );
  await admin.db.query(
    `insert into attempts (subscription_id, cycle, attempt, send, payment_id, amount, due_at, at, sending_real_at, owner, state, adopted)
     values ($1, 0, 0, 0, 'pay_' || $1, 1999, $2, $2, now(), 'worker', 'sending', $3)`,
    [subscriptionId, toIso(NOW), adopted],
  );
  await admin.db.query(`update attempts set state = $2, detail = $3, outcome_at = $4 where subscription_id = $1`, [
    ...[subscriptionId, state, detail],
    toIso(NOW + HOUR),
  ]);
}

const list = (query = '', options: object = { role: 'operator' }) =>
  admin.call('GET', `/v1/reports/failing-payers${query}`, options);

async function keyOf(name: string, ...scopes: Scope[]): Promise<string> {
  const answer = await admin.call('POST', '/v1/keys', { body: { name, role: 'viewer', scopes } });
  return answer.json<{ key: string }>().key;
}

test('a failing payer is listed with reference, e-mail, amount, and the last refusal in plain words', async () => {
  await createFailing('sub_a', { reference: 'customer-7', email: 'ada@example.org' });
  expect((await list()).json()).toEqual({
    items: [
      {
        subscriptionId: 'sub_a',
        reference: 'customer-7',
        email: 'ada@example.org',
        cycle: 0,
        status: 'failed',
        amount: { value: 1999, currency: 'EUR' },
        dueAt: toIso(NOW),
        lastRefusal: "The payer's bank refused the debit for good.",
        refusedAt: toIso(NOW + HOUR),
      },
    ],
    nextCursor: null,
  });
});

test.each<[Failing, number]>([
  [{ status: 'failed' }, 1],
  [{ status: 'dunning', state: 'rejected_retryable' }, 1],
  [{ status: 'collected' }, 0],
  [{ status: 'failed', state: 'not_sent' }, 0],
  [{ status: 'failed', adopted: true }, 0],
])('for a cycle with %j, the number of failing payers is %i', async (refused, count) => {
  await createFailing('sub_a', {}, refused);
  expect(eachItems(await list(), 'subscriptionId')).toHaveLength(count);
});

test('a payer is no longer failing once a later cycle is due, or the subscription has ended', async () => {
  await createFailing('sub_a', {});
  const later = NOW + 31 * DAY;
  await admin.db.query(
    `insert into cycles (subscription_id, cycle, due_at, collect_by, amount, status, collected_at)
     values ('sub_a', 1, $1, $2, 1999, 'collected', $1)`,
    [toIso(later), toIso(later + DAY)],
  );
  expect(eachItems(await list(), 'subscriptionId')).toEqual(['sub_a']);
  admin.clock.business = later;
  expect(eachItems(await list(), 'subscriptionId')).toEqual([]);
  admin.clock.business = NOW;
  await admin.db.query(`update subscriptions set status = 'cancelled'`);
  expect(eachItems(await list(), 'subscriptionId')).toEqual([]);
});

test('failing payers come in pages, and cursors of other lists are rejected', async () => {
  for (const id of ['sub_b', 'sub_a', 'sub_c']) await createFailing(id, {});
  const first = await list('?limit=2');
  const { nextCursor } = first.json<{ nextCursor: string }>();
  expect(eachItems(first, 'subscriptionId')).toEqual(['sub_a', 'sub_b']);
  expect(eachItems(await list(`?limit=2&cursor=${nextCursor}`), 'subscriptionId')).toEqual(['sub_c']);
  expect(faultPaths(await list('?cursor=x'))).toEqual(['cursor']);
});

test('failing payers are streamed as CSV, with formulas neutralized', async () => {
  await createFailing('sub_a', { reference: '=1+1', email: 'ada@example.org' });
  await createFailing('sub_b', {}, { status: 'dunning', state: 'rejected_retryable', detail: 'SOMETHING_NEW' });
  const answer = await list('?limit=1', { role: 'operator', headers: { accept: 'text/csv' } });
  expect(answer.headers['content-disposition']).toBe('attachment; filename="failing-payers.csv"');
  expect(answer.body.split('\r\n')).toEqual([
    'subscriptionId,reference,email,lastRefusal,amount,currency,amountDecimal,cycle,status,dueAt,refusedAt,nextAttemptAt',
    `sub_a,'=1+1,ada@example.org,The payer's bank refused the debit for good.,1999,EUR,19.99,0,failed,${toIso(NOW)},${toIso(NOW + HOUR)},`,
    `sub_b,,,The payment service refused it with SOMETHING_NEW.,1999,EUR,19.99,0,dunning,${toIso(NOW)},${toIso(NOW + HOUR)},${toIso(NOW + DAY)}`,
    '',
  ]);
});

test('the report of failing payers includes e-mail addresses only for keys that may read payers', async () => {
  await createFailing('sub_a', { reference: 'customer-7', email: 'ada@example.org' });
  const [seeing, blind] = [await keyOf('clerk', 'reports', 'payers:read'), await keyOf('report', 'reports')];
  expect(eachItems(await list('', { key: seeing }), 'email')).toEqual(['ada@example.org']);
  for (const options of [{ key: blind }, { role: 'viewer' }]) {
    expect((await list('', options)).body).not.toContain('example.org');
    expect((await list('', { ...options, headers: { accept: 'text/csv' } })).body).not.toContain('example.org');
  }
});

test('an export of failing payers is in the audit log before its first row', async () => {
  const entries = async () => {
    const answer = await admin.call('GET', '/v1/audit?type=failing_payers.exported', { role: 'admin' });
    return answer.json<{ items: { actor: string; data: object }[] }>().items;
  };
  const before = (await entries()).length;
  await list();
  expect(await entries()).toHaveLength(before);
  await list('', { role: 'viewer', headers: { accept: 'text/csv' } });
  expect((await entries())[0]).toMatchObject({ actor: 'viewer of the shop', data: { withEmails: false } });
  expect(await entries()).toHaveLength(before + 1);
});
