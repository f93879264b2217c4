import { payersOf } from '../../src/ledger/payers/subjects';
import { namesAny, termsOf } from '../../src/ledger/payers/words';
import { subscribe, useLedger } from './ledger-fixture';
import { OTHER_NAMES, SPELLED_PAYER, SPELLINGS } from './payer-spellings';

const ledger = useLedger();
let terms: readonly string[] = [];
beforeAll(async () => {
  const { address, email, reference } = SPELLED_PAYER;
  const payer = { email, reference, language: 'de' as const };
  await subscribe(ledger.pool, { billingAddress: address, shippingAddress: null, payer });
  terms = await termsOf(ledger.pool, await payersOf(ledger.pool, reference));
});

test.each(SPELLINGS)('a payer is named by %j', async (spelling) => {
  expect(await namesAny(ledger.pool, `spoke to ${spelling} today`, terms)).toBe(true);
});

test.each(OTHER_NAMES)('a payer is not named by %j', async (text) => {
  expect(await namesAny(ledger.pool, text, terms)).toBe(false);
});

test('a term without letters and digits names no payer', async () => {
  expect(await namesAny(ledger.pool, 'any text -- at all', ['--', ''])).toBe(false);
});

test.each(['.*', 'a|b', '(a+)+$', '[a-z]', '\\w+', '[o-z]{2}', 't.\\S+'])(
  'signs of a regular expression in a term match only themselves: %j',
  async (term) => {
    expect(await namesAny(ledger.pool, 'spoke to Zora today', [term])).toBe(false);
  },
);
