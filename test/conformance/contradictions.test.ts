import { loadConfig } from '../../src/config';
import { playRows, ROWS } from '../../src/conformance';
import type { ContradictionOrder } from '../../src/sandbox';
import { openService } from './service-under-test';

const NAMES = ['lists-whole', 'list-days', 'ids-unique', 'refusals-final', 'list-lag'].map(
  (name) => `assumptions/${name}`,
);
const RUN = ROWS.filter(({ id }) => NAMES.includes(id));

/** The rows that do not hold at a service that contradicts itself in this way all the time, each with the reason. */
async function differing(order: ContradictionOrder): Promise<Record<string, string>> {
  const { world, close } = await openService({ contradictions: [{ times: null, ...order }] });
  try {
    const findings = await playRows(world, RUN);
    return Object.fromEntries(
      findings.flatMap((each) =>
        each.verdict === 'holds' ? [] : [[each.row.id.replace('assumptions/', ''), each.why]],
      ),
    );
  } finally {
    await close();
  }
}

it.each<[string, ContradictionOrder]>([
  ['lists-whole', { kind: 'list_cut', keeps: 'newest', count: 10 }],
  ['lists-whole', { kind: 'list_cut', keeps: 'oldest', count: 11 }],
  ['refusals-final', { kind: 'refused_then_successful', delayMs: 0 }],
  ['ids-unique', { kind: 'same_id', as: 'first', match: { on: 'captures' } }],
  ['ids-unique', { kind: 'same_id', as: 'first', match: { on: 'refunds' } }],
  ['list-lag', { kind: 'list_lag', delayMs: 60_000 }],
])('the row %s of the conformance suite reports the contradiction %j', async (row, order) => {
  expect(Object.keys(await differing(order))).toContain(row);
});

it('the conformance suite measures how many days lists go back', async () => {
  const { 'list-days': why } = await differing({ kind: 'list_days', days: 90 });
  expect(why).toContain('set PAYMENT_SERVICE_LIST_DAYS=89');
});

it.each([7, 12, 13])(
  'the setting that the conformance suite advises for lists that go back %i days is one that dueday accepts',
  async (days) => {
    const { 'list-days': why = '' } = await differing({ kind: 'list_days', days: days + 0.5 });
    const advised = /set PAYMENT_SERVICE_LIST_DAYS=(\d+)$/.exec(why)?.[1] ?? '';
    const { PAYMENT_SERVICE_LIST_DAYS: set } = loadConfig({ PAYMENT_SERVICE_LIST_DAYS: advised });
    expect(set ?? Infinity).toBeLessThanOrEqual(days);
  },
);

it('the conformance suite advises no setting if lists go back fewer days than dueday needs', async () => {
  const { 'list-days': why } = await differing({ kind: 'list_days', days: 5 });
  expect(why).toBe(
    'an authorization of 7 days ago is no longer listed: dueday needs lists that go back 7 days or more',
  );
});

it('the rows about lists, ids and refusals also hold if lists begin with the newest record', async () => {
  expect(await differing({ kind: 'list_newest_first' })).toEqual({});
});
