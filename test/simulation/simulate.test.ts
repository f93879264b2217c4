import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DateTime } from 'luxon';
import { runDueday } from '../cli/dueday-process';

interface Document {
  readonly status: string;
  readonly cycles: readonly {
    readonly cycle: number;
    readonly dueAt: string;
    readonly collectedAt: string | null;
    readonly amount: { readonly value: number };
    readonly status: string;
    readonly attempts: readonly {
      readonly at: string;
      readonly outcome: string;
      readonly payerNotifiedAt: string | null;
    }[];
  }[];
  readonly notices: readonly { readonly type: string }[];
  readonly pauses: readonly { readonly from: string; readonly until: string | null }[];
  readonly amounts: readonly { readonly cycle: number; readonly amount: { readonly value: number } }[];
  readonly events: readonly { readonly description: string; readonly refusal: string | null }[];
  readonly totals: { readonly cycles: number; readonly collected: number };
}

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dueday-simulate-test-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const FIRST = '2027-01-31T09:00:00.000Z';

/**
 *  month  Jan  Feb  Mar       Apr  May   Jun    Jul     Aug  Sep    Oct      Nov          Dec
 *  cycle  0    1    2         3    4     5      6       7    8      9        10           11
 *         ●    ●    ○ ✉ ●     ‖    ●     24.99  skipped  ●   ○ ×4   lost ●   cancelled
 */
it('the simulate command simulates a year with every kind of event, as one document and one drawing', async () => {
  const svg = join(folder, 'life.svg');
  const script = [
    ...['--fail', '2:insufficient_funds', '--fail', '8xalways:insufficient_funds', '--fail', '9:lost_answer'],
    ...['--pause', '2027-04-15..2027-05-15', '--skip', '6', '--amount', '5:24.99', '--cancel', '2027-11-15'],
  ];
  const terms = ['--repetition', 'MONTHLY', '--first', FIRST, '--years', '1', '--amount-cents', '1999'];
  const { code, stdout, stderr } = await runDueday(['simulate', ...terms, ...script, '--json', '--svg', svg]);

  expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
  const life = JSON.parse(stdout) as Document;
  expect(life.cycles.map(({ cycle, status }) => `${cycle} ${status}`)).toEqual([
    ...['0 collected', '1 collected', '2 collected', '3 skipped', '4 collected', '5 collected', '6 skipped'],
    ...['7 collected', '8 failed', '9 collected'],
  ]);
  const first = DateTime.fromISO(FIRST, { zone: 'utc' });
  expect(life.cycles.map(({ dueAt }) => dueAt)).toEqual(
    life.cycles.map(({ cycle }) => first.plus({ months: cycle }).toISO()),
  );
  expect(life.cycles[2]?.attempts.map(({ at, outcome }) => [at.slice(0, 16), outcome])).toEqual([
    ['2027-03-31T09:00', 'rejected_retryable'],
    ['2027-04-01T09:00', 'successful'],
  ]);
  const told = life.cycles[2]?.attempts[0]?.payerNotifiedAt ?? '';
  expect(told.slice(0, 16)).toBe('2027-03-31T09:00');
  expect(life.cycles[8]?.attempts).toHaveLength(4);
  expect(life.cycles[9]?.attempts).toHaveLength(1);
  expect(life.pauses.map(({ from, until }) => [from.slice(0, 10), until])).toEqual([
    ['2027-04-15', '2027-05-15T00:00:00.000Z'],
  ]);
  expect(life.amounts.map(({ cycle, amount }) => [cycle, amount.value])).toEqual([
    [0, 1999],
    [5, 2499],
  ]);
  expect(life.events.filter(({ refusal }) => refusal !== null)).toEqual([]);
  expect(life.notices.map(({ type }) => type)).toEqual(
    expect.arrayContaining([
      'payment.failed',
      'payment.increase_announced',
      'subscription.paused',
      'subscription.cancelled',
    ]),
  );
  expect(life.status).toBe('cancelled');
  expect(await readFile(svg, 'utf8')).toContain('cancelled by the merchant');
});

/**
 *   January    28 Feb     2 Mar      31 Mar     3 Apr     30 Apr ‖ 6 May
 *   ●          on hold    ●          postponed  ●         on hold, missed
 */
it('the simulate command collects after a hold or a postponement without moving due dates, and misses a window that ends on hold', async () => {
  const terms = ['--repetition', 'MONTHLY', '--first', FIRST, '--end', '2027-05-20', '--amount-cents', '1999'];
  const script = ['--hold', '2027-02-27..2027-03-02', '--hold', '2027-04-30..2027-05-06'];
  const postponed = ['--postpone', '2:2027-04-03T09:00:00Z'];
  const { code, stdout, stderr } = await runDueday(['simulate', ...terms, ...script, ...postponed, '--json']);
  expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
  const { cycles, events } = JSON.parse(stdout) as Document;
  expect(
    cycles.map(({ dueAt, status, collectedAt }) => [dueAt.slice(0, 10), status, collectedAt?.slice(0, 13)]),
  ).toEqual([
    ['2027-01-31', 'collected', '2027-01-31T09'],
    ['2027-02-28', 'collected', '2027-03-02T00'],
    ['2027-03-31', 'collected', '2027-04-03T09'],
    ['2027-04-30', 'missed', undefined],
  ]);
  expect(events.map(({ description, refusal }) => [description, refusal])).toEqual([
    ['hold', null],
    ['postpone cycle 2', null],
    ['hold', null],
  ]);
});

it('the simulate command shows weeks as a table, with refused requests', async () => {
  const terms = ['--repetition', 'WEEKLY', '--first', FIRST, '--end', '2027-02-20', '--amount-cents', '16000'];
  const { code, stdout } = await runDueday(['simulate', ...terms, '--amount', '2:170']);
  expect(code).toBe(0);
  const [head, ...rows] = stdout.split('\n');
  expect(head).toMatch(/^CYCLE +DUE \(UTC\) +COLLECTED AT +ATTEMPTS +AMOUNT +OUTCOME +WHY$/);
  expect(rows.slice(0, 3).map((row) => row.split(/ {2,}/).slice(0, 6))).toEqual([
    ['0', '2027-01-31 09:00', '2027-01-31 09:00', '1', '160.00 EUR', 'collected'],
    ['1', '2027-02-07 09:00', '2027-02-07 09:00', '1', '160.00 EUR', 'collected'],
    ['2', '2027-02-14 09:00', '2027-02-14 09:00', '1', '160.00 EUR', 'collected'],
  ]);
  expect(stdout).toMatch(/refused at 2027-02-07 10:00: from cycle 2 on 170.00 EUR: .*a new consent/);
  expect(stdout).toMatch(/3 cycles: 3 collected \(480.00 EUR\)\ncompleted, standing good/);
});

it("the simulate command shows that a payer's cancellation after the end of the agreement is refused", async () => {
  const terms = ['--repetition', 'WEEKLY', '--first', FIRST, '--end', '2027-02-20', '--amount', '19.99'];
  const ends = ['--cancel', '2027-02-03', '--payer-cancels', '2027-02-10'];
  const { code, stdout, stderr } = await runDueday(['simulate', ...terms, ...ends]);
  expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
  expect(stdout).toContain(
    'refused at 2027-02-10 00:00: the payer cancels at the bank: the consent is cancelled, not successful\n',
  );
  expect(stdout).toContain('1 cycle: 1 collected (19.99 EUR)\ncancelled by the merchant at 2027-02-03 00:00');
});

it('the simulate command names every fault at once and exits 2', async () => {
  const { code, stderr } = await runDueday(['simulate', '--repetition', 'DAILY', '--fail', '3']);
  expect(code).toBe(2);
  for (const option of ['--repetition', '--first', '--amount', '--fail']) expect(stderr).toContain(`${option}: `);
});

const terms = ['--repetition', 'MONTHLY', '--first', '2027-03-31T10:00:00Z', '--amount-cents', '1999', '--years', '1'];
const refused = ['--fail', '0xalways:insufficient_funds'];

async function firstCycleOf(script: readonly string[]) {
  const { code, stdout, stderr } = await runDueday(['simulate', ...terms, ...refused, ...script, '--json']);
  expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
  const { cycles } = JSON.parse(stdout) as Document;
  return { status: cycles[0]?.status, attempts: cycles[0]?.attempts.map(({ at }) => at.slice(0, 16)) };
}

it('a cycle whose attempts are all refused is retried once after a pause that outlasts all planned retries (rule 14)', async () => {
  const pause = ['--pause', '2027-03-31T20:00:00Z..2027-04-03T09:20:00Z'];
  expect(await firstCycleOf(pause)).toEqual({ status: 'failed', attempts: ['2027-03-31T10:00', '2027-04-03T09:20'] });
});

it('a cycle whose attempts are all refused is retried at +24, +48 and +71 h without a pause (rule 14)', async () => {
  const attempts = ['2027-03-31T10:00', '2027-04-01T10:00', '2027-04-02T10:00', '2027-04-03T09:00'];
  expect(await firstCycleOf([])).toEqual({ status: 'failed', attempts });
});
