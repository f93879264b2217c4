import { chooseRows, type Finding, playRows, type Row, ROWS } from '../../src/conformance';
import { BREAKABLE_RULES, type BreakableRule } from '../../src/sandbox';
import { openService } from './service-under-test';

/** The rows that state each rule; there are several if the reference states it in several places. */
const TOLD_BY: Readonly<Record<BreakableRule, readonly string[]>> = {
  'consent-session': ['states/session-timeout', 'rules/after-timeout', 'errors/consent-failed', 'limits/session'],
  'cancelled-consent': ['states/subscription-cancelled'],
  'token-life': ['limits/token'],
  'capture-amount': ['flags/true-false', 'states/capture-too-large', 'errors/capture-too-large'],
  'capture-total': ['flags/true-true', 'limits/capture-total'],
  'capture-period': [
    'states/capture-too-late',
    'errors/capture-too-late',
    'limits/default-time-to-capture',
    'limits/validity',
    'limits/capture-deadline',
    'limits/time-to-capture-empty',
  ],
  expiry: ['states/expired'],
  'release-before-capture': ['errors/capture-cancelled'],
  'multiple-needs-partial': ['flags/false-true'],
  'final-capture': ['fields/finalCapture'],
  'longest-time-to-capture': ['limits/longest-time-to-capture'],
  'category-maximum': ['limits/category-maximum'],
  'refund-total': ['errors/refund-not-allowed', 'limits/refund-total'],
  'refund-names-capture': ['errors/refund-names-capture'],
  'first-amount': ['fields/first-payment'],
  deviation: ['subscription/deviation'],
  // A debit that is too early for the next weekly date lies within 120 hours of the date that is already paid.
  'one-debit-per-date': ['errors/interval-not-matched', 'subscription/deviation'],
  'three-retries': ['subscription/attempts'],
  'weekly-cap': ['caps/weekly'],
  'six-months': [
    'subscription/increase-every-six-months',
    'subscription/increase-after-reduction',
    'subscription/second-increase',
  ],
};

const RULES = Object.keys(BREAKABLE_RULES) as BreakableRule[];
const TOLD = [...new Set(Object.values(TOLD_BY).flat())];

async function play(brokenRules: readonly BreakableRule[], rows: readonly Row[]): Promise<readonly Finding[]> {
  const { world, close } = await openService({ brokenRules });
  try {
    return await playRows(world, rows);
  } finally {
    await close();
  }
}

const idsOf = (findings: readonly Finding[], verdict: Finding['verdict']): readonly string[] =>
  findings.filter((finding) => finding.verdict === verdict).map(({ row }) => row.id);

it('the table names every rule that the simulator can break, and only rows that exist', () => {
  expect(Object.keys(TOLD_BY)).toEqual(RULES);
  expect(chooseRows(TOLD)).toHaveLength(TOLD.length);
});

it('if the simulator breaks every rule, exactly the rows about these rules differ', async () => {
  const findings = await play(RULES, ROWS);
  expect([...idsOf(findings, 'differs')].sort()).toEqual([...TOLD].sort());
  // Other rows can still be tried: a broken rule prevents only rows about assumptions.
  expect(idsOf(findings, 'cannot be tried').filter((id) => !id.startsWith('assumptions/'))).toEqual([]);
});

/** The three rules after this one in the list, most of them of the same kind. */
const neighboursOf = (rule: BreakableRule): readonly BreakableRule[] => {
  const place = RULES.indexOf(rule);
  return [...RULES, ...RULES].slice(place + 1, place + 4);
};

it.each(RULES)(
  'if the simulator breaks the rule %s, its rows differ, and the rows of the next rules do not',
  async (rule) => {
    const rows = chooseRows([rule, ...neighboursOf(rule)].flatMap((one) => TOLD_BY[one]))!;
    const findings = await play([rule], rows);
    expect([...idsOf(findings, 'differs')].sort()).toEqual([...TOLD_BY[rule]].sort());
    expect(idsOf(findings, 'cannot be tried')).toEqual([]);
  },
);
