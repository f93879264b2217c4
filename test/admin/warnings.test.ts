import fc from 'fast-check';
import { CreateSubscription } from '../../src/admin/subscriptions/schema';
import { creationWarnings } from '../../src/admin/subscriptions/warnings';
import { MINUTE } from '../../src/domain/time';
import { importFile } from '../support/import-call';
import { type AdminUnderTest, SANDBOX, startAdmin } from './admin-under-test';
import { mandate, ndjson } from './mandate';
import { order } from './order';

let admin: AdminUnderTest;
let url: string;

beforeAll(async () => {
  admin = await startAdmin();
  url = await admin.app.listen({ port: 0, host: '127.0.0.1' });
});
beforeEach(() => admin.rewind());
afterAll(() => admin.stop());

type Payer = { readonly reference?: string; readonly email?: string };

async function warningsOfCreation(changes: Record<string, unknown>, on = admin.app): Promise<unknown> {
  const answer = await admin.call('POST', '/v1/subscriptions', { on, body: order({ payer: {}, ...changes }) });
  expect(answer.statusCode).toBe(201);
  return answer.json<{ warnings?: unknown }>().warnings;
}

let mandates = 0;

async function warningsOfImport(...changes: Record<string, unknown>[]): Promise<unknown[]> {
  const lines = changes.map((each) => {
    mandates += 1;
    return mandate({ payer: {}, paymentId: `pay_${mandates}`, ...each });
  });
  const answers = await importFile(url, admin.keys.admin, ndjson(...lines));
  return answers.map(({ warnings, problem }) => problem ?? warnings);
}

const activate = () => admin.db.query(`update subscriptions set status = 'active'`);

const shifted = (time: string) => [
  'day_shift: firstPaymentAt is on 2027-02-28 at its offset, but on 2027-03-01 in UTC, which determines due dates. ' +
    `At its offset, it is due 2027-02-28T${time}, 2027-03-31T${time}, 2027-04-30T${time}. ` +
    '2027-02-28T14:30:00.000Z is on 2027-02-28 in both.',
];

test.each([
  [
    'an hour before midnight in New York gets the warning day_shift',
    '2027-02-28T23:00:00-05:00',
    shifted('23:00:00.000-05:00'),
  ],
  ['in the last millisecond of the same day in UTC gets no warning', '2027-02-28T18:59:59.999-05:00', undefined],
  [
    'in the first instant of the next day in UTC gets the warning day_shift',
    '2027-02-28T19:00:00-0500',
    shifted('19:00:00.000-05:00'),
  ],
  ['at midnight in UTC gets no warning', '2027-03-01T00:00:00Z', undefined],
])('a first payment %s', async (_name, firstPaymentAt, warnings) => {
  expect(await warningsOfCreation({ firstPaymentAt })).toEqual(warnings);
  expect(await warningsOfImport({ firstPaymentAt })).toEqual([warnings]);
});

test('the warning day_shift shows the due dates at the offset of the first payment, up to endAt', async () => {
  const firstPaymentAt = '2027-03-01T00:30:00+05:30';
  const endAt = '2027-04-20T00:00:00Z';
  expect(await warningsOfCreation({ firstPaymentAt, endAt })).toEqual([
    'day_shift: firstPaymentAt is on 2027-03-01 at its offset, but on 2027-02-28 in UTC, which determines due dates. ' +
      'At its offset, it is due 2027-03-01T00:30:00.000+05:30, 2027-03-29T00:30:00.000+05:30. ' +
      '2027-03-01T09:15:00.000Z is on 2027-03-01 in both.',
  ]);
});

test('the warning day_shift proposes an instant that is on the intended day both in UTC and at the given offset', () => {
  fc.assert(
    fc.property(fc.integer({ min: -18 * 60, max: 18 * 60 }), (minutes) => {
      const [sign, hours, rest] = [minutes < 0 ? '-' : '+', Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
      const offset = `${sign}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
      const written = { firstPaymentAt: `2027-03-10T${minutes < 0 ? '23:59:59.999' : '00:00:00.000'}${offset}` };
      const firstPaymentAt = Date.parse(written.firstPaymentAt);
      const body = CreateSubscription.parse({ ...order(), ...written });
      const [warning] = creationWarnings(body, written, SANDBOX);
      if (minutes === 0) return warning === undefined;
      const proposed = Date.parse(/(\S+Z) is on 2027-03-10 in both/.exec(warning ?? '')?.[1] ?? '');
      const days = [proposed, proposed + minutes * MINUTE].map((instant) =>
        new Date(instant).toISOString().slice(0, 10),
      );
      return firstPaymentAt > 0 && days.every((day) => day === '2027-03-10');
    }),
  );
});

describe('no_channel', () => {
  const NONE = ['no_channel: no notice can reach the payer, so no retry will be possible'];

  test.each<[string, ('webhook' | 'email')[], Payer, string[] | undefined]>([
    ['gets the warning no_channel if no channel is configured', [], { email: 'ada@example.com' }, NONE],
    [
      'gets no warning if e-mail is configured and the payer has an address',
      ['email'],
      { email: 'ada@example.com' },
      undefined,
    ],
    ['gets the warning no_channel if e-mail is the only channel and the payer has no address', ['email'], {}, NONE],
    ['gets no warning if a messenger is configured, even if the payer has no address', ['webhook'], {}, undefined],
  ])('a new subscription %s', async (_name, payerChannels, payer, warnings) => {
    const on = await admin.another({ policy: { ...SANDBOX, payerChannels } });
    expect(await warningsOfCreation({ payer }, on)).toEqual(warnings);
    await on.close();
  });

  test('the creation of a subscription gives no warning if only the billing address has an e-mail, to which notices then go', async () => {
    const on = await admin.another({ policy: { ...SANDBOX, payerChannels: ['email'] } });
    const billingAddress = { ...(order()['billingAddress'] as object), email: 'ada@example.com' };
    expect(await warningsOfCreation({ payer: {}, billingAddress }, on)).toBeUndefined();
    await on.close();
  });
});

const payer = { reference: 'customer-1' };
const duplicateOf = (id: string) => [
  `duplicate_mandate: ${id} is active for the same payer reference, amount and repetition`,
];

test('a second subscription of the same payer, amount and repetition gets the warning duplicate_mandate, even if its import is repeated', async () => {
  expect(await warningsOfCreation({ payer, subscriptionId: 'first' })).toBeUndefined();
  await activate();
  expect(await warningsOfCreation({ payer })).toEqual(duplicateOf('first'));
  const line = mandate({ payer, paymentId: 'pay_again' });
  const answers = await importFile(url, admin.keys.admin, ndjson(line));
  expect(answers[0]?.warnings).toEqual(duplicateOf('first'));
  const again = answers.map((answer) => ({ ...answer, duplicate: true }));
  expect(await importFile(url, admin.keys.admin, ndjson(line))).toEqual(again);
});

test.each<[string, Record<string, unknown>]>([
  ['of another payer', { payer: { reference: 'customer-2' } }],
  ['of a payer without a reference', { payer: {} }],
  ['of another amount', { amount: { value: 2000, currency: 'EUR' } }],
  ['of another repetition', { repetition: 'WEEKLY' }],
  ['that replaces the first one', { replaces: 'first' }],
])('a second subscription %s does not get the warning duplicate_mandate', async (_name, changes) => {
  await warningsOfCreation({ payer, subscriptionId: 'first' });
  await activate();
  expect(await warningsOfCreation({ payer, ...changes })).toBeUndefined();
});

test.each(['paused', 'cancelled', 'completed'])(
  'a second subscription of the same payer, amount and repetition gets no warning if the first is %s',
  async (status) => {
    await warningsOfCreation({ payer, subscriptionId: 'first' });
    await admin.db.query('update subscriptions set status = $1', [status]);
    expect(await warningsOfCreation({ payer })).toBeUndefined();
  },
);

test('the second of two duplicate mandates in one import file gets the warning duplicate_mandate', async () => {
  expect(await warningsOfImport({ payer, subscriptionId: 'one' }, { payer })).toEqual([undefined, duplicateOf('one')]);
});
