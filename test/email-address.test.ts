import { needsSmtpUtf8, parseEmail, toSmtpAddress, withReadableDomains } from '../src/platform/email-address';

const addressOf = (text: string) => {
  const parsed = parseEmail(text);
  return parsed.kind === 'valid' ? parsed.address : parsed.expected;
};

test.each([
  ['ada@example.com', 'ada@example.com', 'ada@example.com'],
  ["Ada.O'Neill+dues_1@Mail.Example.COM", "Ada.O'Neill+dues_1@Mail.Example.COM", "Ada.O'Neill+dues_1@Mail.Example.COM"],
  ['ada@Bücher.example', 'ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ['ada@xn--bcher-kva.example', 'ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ['ada@straße.example', 'ada@straße.example', 'ada@xn--strae-oqa.example'],
  ['用户@例え.テスト', '用户@例え.テスト', '用户@xn--r8jz45g.xn--zckzah'],
  ['ju\u0308rgen@bu\u0308cher.example', 'jürgen@bücher.example', 'jürgen@xn--bcher-kva.example'],
  ['δοκιμή.με@παράδειγμα.gr', 'δοκιμή.με@παράδειγμα.gr', 'δοκιμή.με@xn--hxajbheg2az3al.gr'],
])('the e-mail address %s is stored as %s, and mail is sent to %s', (text, stored, sent) => {
  expect(addressOf(text)).toBe(stored);
  expect(toSmtpAddress(stored)).toBe(sent);
  expect(addressOf(stored)).toBe(stored);
});

const DOMAIN_FAULT = 'with a valid domain after the @';
const LOCAL_FAULT = '1 to 64 bytes before the @';

test.each([
  ['nobody', 'such as payer@example.com'],
  ['', 'such as payer@example.com'],
  ['@example.com', LOCAL_FAULT],
  ['.ada@example.com', LOCAL_FAULT],
  ['ada.@example.com', LOCAL_FAULT],
  ['ada..b@example.com', LOCAL_FAULT],
  ['ada b@example.com', LOCAL_FAULT],
  ['ada\u00a0b@example.com', LOCAL_FAULT],
  ['ada\u202e@example.com', LOCAL_FAULT],
  ['ada\u0000@example.com', LOCAL_FAULT],
  ['a***@example.com', LOCAL_FAULT],
  ['"ada"@example.com', LOCAL_FAULT],
  ['a@b.de, c@d.de', LOCAL_FAULT],
  ['ada@', DOMAIN_FAULT],
  ['ada@localhost', DOMAIN_FAULT],
  ['ada@127.0.0.1', DOMAIN_FAULT],
  ['ada@[127.0.0.1]', DOMAIN_FAULT],
  ['ada@ex%41mple.com', DOMAIN_FAULT],
  ['ada@bü%41cher.com', DOMAIN_FAULT],
  ['ada@example.com/path', DOMAIN_FAULT],
  ['ada@example..com', DOMAIN_FAULT],
  ['ada@-example.com', DOMAIN_FAULT],
  ['ada@example.com.', DOMAIN_FAULT],
  ['ada@xn--a.example', DOMAIN_FAULT],
  ['ada@\u200d.example', DOMAIN_FAULT],
])('the text %j is refused as an e-mail address; the message contains: %s', (text, message) => {
  expect(addressOf(text)).toContain(message);
});

test('an e-mail address may have 64 bytes of UTF-8 before the @, but not 65', () => {
  const most = 'ü'.repeat(32);
  expect(addressOf(`${most}@example.com`)).toBe(`${most}@example.com`);
  expect(addressOf(`${most}a@example.com`)).toContain(LOCAL_FAULT);
});

test('an e-mail address may have 254 bytes with its domain in ASCII, but not 255', () => {
  const domain = (length: number) => `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(length)}.com`;
  const local = 'x'.repeat(64);
  expect(addressOf(`${local}@${domain(57)}`)).toBe(`${local}@${domain(57)}`);
  expect(Buffer.byteLength(`${local}@${domain(57)}`)).toBe(254);
  expect(addressOf(`${local}@${domain(58)}`)).toContain('at most 254 bytes');
});

test.each([
  ['jürgen@example.com', true],
  ['ada@bücher.example', false],
  ['ada@example.com', false],
])('the e-mail address %s needs SMTPUTF8: %s', (address, expected) => {
  expect(needsSmtpUtf8(address)).toBe(expected);
});

test.each([
  ['ada@xn--bcher-kva.example', 'ada@bücher.example'],
  ['xn--bcher-kva.example ada', 'bücher.example ada'],
  ['ada@xn--a.example', 'ada@xn--a.example'],
  ['ada byron', 'ada byron'],
])('a search for %s finds %s, with domains as they are stored', (typed, sought) => {
  expect(withReadableDomains(typed)).toBe(sought);
});
