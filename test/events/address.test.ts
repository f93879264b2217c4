import { createAddressCheck } from '../../src/webhooks';

const production = createAddressCheck([], false);

test.each([
  ...['127.0.0.1', '127.255.0.9', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254'],
  ...['0.0.0.0', '100.64.0.1', '224.0.0.1', '239.1.1.1', '255.255.255.255', '198.18.0.1'],
  ...[
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    'fd12::7',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '64:ff9b::7f00:1',
  ],
  ...['192.88.99.1', '192.0.2.1', '192.0.0.9', '192.31.196.1', '192.52.193.1', '192.175.48.1', '198.51.100.7'],
  ...['203.0.113.7', '240.0.0.1', '::ffff:c058:6301', '::FFFF:192.0.2.1', '0:0:0:0:0:ffff:10.0.0.1'],
  ...['::8.8.8.8', '::7f00:1', '::ffff:0:8.8.8.8', '::ffff:0:808:808', '64:ff9b::8.8.8.8', '64:ff9b:1::1'],
  ...['2001::1', '2001:0:53aa:64c::1', '2001:2::1', '2001:3::1', '2001:4:112::1', '2001:10::1', '2001:20::1'],
  ...['2001:30::1', '2001:db8::1', '2002:808:808::1', '2620:4f:8000::1', '3fff::1', '5f00::1', '100::1'],
  ...['100:0:0:1::1', 'fec0::1', 'fe80::1%eth0', '4000::1', 'e000::1'],
  ...['2001:1::1', '2001:1::2', '2001:1::3', '2001:1ff:ffff::1', '192.0.0.170', '168.63.129.16'],
  'no address',
])('an endpoint at the address %j is refused', (address) => {
  expect(production.permits(address)).toBe(false);
});

test.each([
  ...[
    '8.8.8.8',
    '172.32.0.1',
    '168.63.129.15',
    '168.63.129.17',
    '100.128.0.1',
    '192.0.1.1',
    '2001:4860:4860::8888',
    '2001:200::1',
    '2606:4700::1',
  ],
  ...['::ffff:8.8.8.8', '::ffff:808:808'],
])('an endpoint at the address %s is permitted', (address) => {
  expect(production.permits(address)).toBe(true);
});

test('networks that the deployment names are permitted, and loopback with the sandbox', () => {
  const check = createAddressCheck(['10.20.0.0/16', 'fd12::/48'], true);
  for (const address of ['10.20.3.4', '::ffff:10.20.3.4', 'fd12::7', '127.0.0.1', '::1'])
    expect(check.permits(address)).toBe(true);
  for (const address of ['10.21.0.1', 'fd13::7', '192.168.0.1']) expect(check.permits(address)).toBe(false);
});

test.each(['127.0.0.1', '[::1]', 'localhost', '169.254.169.254'])(
  'a URL with the host %s is refused',
  async (hostname) => {
    expect(await production.refusalOf(hostname)).toContain('loopback');
  },
);

test('a URL with a loopback address is refused in whatever spelling', async () => {
  for (const text of ['http://2130706433/', 'http://0x7f.1/', 'http://127.1/', 'http://[::ffff:7f00:1]/']) {
    expect(await production.refusalOf(new URL(text).hostname)).not.toBeNull();
  }
});

test('a URL whose host name cannot be resolved is accepted, because its address is checked at each connection', async () => {
  expect(await production.refusalOf('shop.invalid')).toBeNull();
});
