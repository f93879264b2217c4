import { IPv4, IPv6 } from 'ipaddr.js';
import { createAddressCheck } from '../../src/webhooks';

/** Every entry of IANA's registries of special-purpose addresses, both as last updated on 9 October 2025. */
const REGISTERED = {
  ipv4: [
    ...['0.0.0.0/8', '0.0.0.0/32', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
    ...['192.0.0.0/24', '192.0.0.0/29', '192.0.0.8/32', '192.0.0.9/32', '192.0.0.10/32', '192.0.0.170/32'],
    ...['192.0.0.171/32', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.88.99.2/32'],
    ...['192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '240.0.0.0/4'],
    '255.255.255.255/32',
  ],
  ipv6: [
    ...['::1/128', '::/128', '::ffff:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '100:0:0:1::/64'],
    ...['2001::/23', '2001::/32', '2001:1::1/128', '2001:1::2/128', '2001:1::3/128', '2001:2::/48', '2001:3::/32'],
    ...['2001:4:112::/48', '2001:10::/28', '2001:20::/28', '2001:30::/28', '2001:db8::/32', '2002::/16'],
    ...['2620:4f:8000::/48', '3fff::/20', '5f00::/16', 'fc00::/7', 'fe80::/10'],
  ],
};

/** An IPv4 address in an IPv6 one is judged as itself. */
const JUDGED_AS_IPV4 = '::ffff:0:0/96';

const production = createAddressCheck([], false);

/** The first and the last address of the network. */
function endsOf(network: string): readonly string[] {
  const family = network.includes(':') ? IPv6 : IPv4;
  return [family.networkAddressFromCIDR(network), family.broadcastAddressFromCIDR(network)].map(String);
}

test.each([...REGISTERED.ipv4, ...REGISTERED.ipv6].filter((network) => network !== JUDGED_AS_IPV4))(
  'the registered network %s is refused from its first address to its last',
  (network) => {
    expect(endsOf(network).filter((address) => production.permits(address))).toEqual([]);
  },
);

test.each(REGISTERED.ipv4)('the registered network %s is refused as part of an IPv6 address, too', (network) => {
  const mapped = endsOf(network).map((address) => `::ffff:${address}`);
  expect(mapped.filter((address) => production.permits(address))).toEqual([]);
});
