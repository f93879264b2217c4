import { instant } from '../../src/console/format';
import { amountsOf, beforeFirst, effectsOf } from '../../src/console/views/subscription/next';
import { at, euros, subscription } from './lives';

type Change = Parameters<typeof effectsOf>[0];

const change = (more: Partial<Change> = {}): Change => ({
  ...{ amount: euros(2_500), previousAmount: euros(1_999), fromCycle: 2, effectiveAt: at(15) },
  ...{ kind: 'increase', countsAsIncrease: false, dryRun: true },
  ...more,
});

const goes = (what: string) =>
  `${what} from €19.99 to €25.00, from cycle 2 on, due ${instant(at(15))}. You can withdraw it until that cycle’s first attempt.`;

test('the dialog for a change of the amount says for every increase that the payer is notified, even if it does not count as an increase', () => {
  const notified = 'The payer is notified beforehand.';
  expect(effectsOf(change(), false)).toEqual([goes('An increase'), notified]);
  const counted = change({ countsAsIncrease: true, nextIncreaseAllowedFrom: at(20) });
  expect(effectsOf(counted, false)).toEqual([
    goes('An increase'),
    `It counts as the one increase allowed in six months; the next one is allowed from ${instant(at(20))}.`,
    notified,
  ]);
  expect(effectsOf(change({ kind: 'reduction' }), true)).toEqual([goes('A reduction')]);
});

test('the dialog says that entering the current amount withdraws a pending change only if there is a pending change', () => {
  const unchanged = change({ kind: 'unchanged', amount: euros(1_999) });
  expect(effectsOf(unchanged, false)).toEqual(['This is the current amount. Nothing changes.']);
  expect(effectsOf(unchanged, true)).toEqual([
    'This is the current amount. Choosing it withdraws the pending change, which has not taken effect yet.',
  ]);
});

test('the dialog for a change of the amount names the pending change, because the next cycle may collect its amount', () => {
  expect(amountsOf(subscription())).toBe('The current amount is €19.99.');
  const pendingAmountChange = { ...change(), payerNotice: 'due' } as const;
  expect(amountsOf(subscription({ pendingAmountChange }))).toBe(
    'The current amount is €19.99. A change to €25.00 from cycle 2 on is pending.',
  );
});

test('before the first payment, the dialog says that only the amount of the consent is collected, not that less is allowed', () => {
  expect(beforeFirst(euros(999))).toMatch(/every cycle collects exactly the amount of the consent, €9[.]99[.]/);
});
