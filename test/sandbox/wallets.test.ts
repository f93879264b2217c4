import { parseWallet, takeRejection, walletHintIn, WALLETS } from '../../src/sandbox/bank/wallets';

it('the simulator knows every wallet that it lists', () => {
  for (const name of Object.keys(WALLETS)) expect(parseWallet(name.replace('<n>', '3'))).not.toBeNull();
});

it.each(['', 'aproves', 'approves-3', 'cancels-after', 'cancels-after-x', 'approves+quick', 'slow-', 'slow-<n>'])(
  'the simulator refuses the unknown wallet %j',
  (hint) => {
    expect(parseWallet(hint)).toBeNull();
  },
);

it("a wallet's numbers and modifiers are read in any letter case", () => {
  expect(parseWallet('Cancels-After-12+AUTO+upper')).toMatchObject({ cancelsAfter: 12, auto: true, upperCase: true });
  expect(parseWallet('slow-90')).toMatchObject({ bookingDelay: 90_000, auto: false, upperCase: false });
});

it.each([
  ['wallet+approves@example.test', 'approves'],
  ['wallet+slow-3+auto@example.test', 'slow-3+auto'],
  ['wallet+declines', 'declines'],
  ['ada+wallet@example.test', null],
  ['wallet@example.test', null],
  [undefined, null],
])('the wallet is read from %s', (text, hint) => {
  expect(walletHintIn(text)).toBe(hint);
});

it.each([
  ['approves', 0],
  ['insufficient-funds-once', 1],
  ['insufficient-funds-3', 3],
  ['insufficient-funds-always', 5],
])('the wallet %s rejects the first %i of five attempts', (hint, expected) => {
  const wallet = parseWallet(hint)!;
  const rejected = Array.from({ length: 5 }, () => takeRejection(wallet) !== null);
  expect(rejected).toEqual(Array.from({ length: 5 }, (_none, index) => index < expected));
});

it('the rejections of a wallet are counted for each payer separately', () => {
  const [one, other] = [parseWallet('insufficient-funds-once')!, parseWallet('insufficient-funds-once')!];
  takeRejection(one);
  expect(takeRejection(other)).not.toBeNull();
});
