import { lifeDocument, closingLines, lifeTable } from '../../src/simulation/report/text';
import { HOUR } from '../../src/domain/time';
import { collectedCycle, refusedCycle, sampleLife, sampleTerms, uncollectedCycle } from './life-samples';

const terms = sampleTerms('MONTHLY');

it("the simulation's table shows each cycle with its due date, collection, attempts, amount, outcome and why", () => {
  const first = collectedCycle(terms, 0);
  const late = { ...first, cycle: 1, collectedAt: first.dueAt + 24 * HOUR };
  const [attempt] = first.attempts;
  const retried = { ...late, attempts: [...refusedCycle(terms, 1, 1).attempts, { ...attempt!, attempt: 1 }] };
  const cycles = [first, retried, refusedCycle(terms, 2), uncollectedCycle(terms, 3, 'skipped', 'paused')];
  expect(lifeTable(sampleLife('MONTHLY', 0, { cycles }))).toEqual([
    ['CYCLE', 'DUE (UTC)', 'COLLECTED AT', 'ATTEMPTS', 'AMOUNT', 'OUTCOME', 'WHY'],
    ['0', '2027-01-31 09:00', '2027-01-31 09:00', '1', '19.99 EUR', 'collected', 'first attempt'],
    ['1', '2027-01-31 09:00', '2027-02-01 09:00', '2', '19.99 EUR', 'collected', 'retry 1 24 h late, after a notice'],
    ['2', '2027-03-31 09:00', '-', '4', '19.99 EUR', 'failed', 'the bank rejected it and every retry'],
    ['3', '2027-04-30 09:00', '-', '0', '19.99 EUR', 'skipped', 'due during a pause'],
  ]);
});

it("the simulation's table does not count a request that never arrived as an attempt", () => {
  const cycle = collectedCycle(terms, 0);
  const [sent] = cycle.attempts;
  const attempts = [
    { ...sent!, outcome: 'not_sent' as const },
    { ...sent!, send: 1 },
  ];
  const [, row] = lifeTable(sampleLife('MONTHLY', 0, { cycles: [{ ...cycle, attempts }] }));
  expect(row?.[3]).toBe('1');
  expect(row?.[6]).toBe('first attempt, sent again');
});

it("the simulation's table ends with refused requests, sums and the final status", () => {
  const at = Date.parse('2027-03-01T00:00:00.000Z');
  const scriptedEvents = [
    { at, description: 'pause', action: { kind: 'pause' as const, until: null }, refusal: 'it is over' },
  ];
  const life = sampleLife('MONTHLY', 3, {
    scriptedEvents,
    cancelled: { at, by: 'payer' },
    status: 'cancelled',
    until: at,
  });
  expect(closingLines(life)).toEqual([
    'refused at 2027-03-01 00:00: pause: it is over',
    '3 cycles: 3 collected (59.97 EUR)',
    'cancelled by the payer at 2027-03-01 00:00, standing good; simulated until 2027-03-01 00:00',
  ]);
});

it("the simulation's document has instants in ISO and money in cents", () => {
  const document = lifeDocument(sampleLife('MONTHLY', 1, { pauses: [{ from: 0, until: null }] }));
  expect(document).toMatchObject({
    terms: {
      repetition: 'MONTHLY',
      amount: { value: 1999, currency: 'EUR' },
      firstPaymentAt: '2027-01-31T09:00:00.000Z',
    },
    cycles: [
      {
        cycle: 0,
        dueAt: '2027-01-31T09:00:00.000Z',
        collectBy: '2027-02-05T09:00:00.000Z',
        status: 'collected',
        attempts: [
          { attempt: 0, send: 0, at: '2027-01-31T09:00:00.000Z', outcome: 'successful', payerNotifiedAt: null },
        ],
      },
    ],
    pauses: [{ from: '1970-01-01T00:00:00.000Z', until: null }],
    totals: { cycles: 1, collected: 1, collectedAmount: { value: 1999, currency: 'EUR' }, attempts: 1, retries: 0 },
  });
});
