/**
 * Networks that hold no endpoint on the public internet: the entries of IANA's registries of special-purpose addresses
 * (https://www.iana.org/assignments/iana-ipv4-special-registry, https://www.iana.org/assignments/iana-ipv6-special-registry),
 * including globally reachable anycast services; multicast; obsolete networks that the registries no longer list; and the one
 * public address at which a cloud, Azure, serves its own machines. The list covers both registries as last updated on 2025-10-09,
 * whose entries `test/events/special-purpose.test.ts` lists, and is not updated automatically. Exceptions that a registry makes
 * within an entry (2001::/23, 192.0.0.0/24) are refused, too.
 */
export const SPECIAL_PURPOSE: readonly string[] = [
  // "This network", private use, shared address space of carriers, loopback, link-local, private use.
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  // Protocol assignments with DS-Lite, PCP, TURN and NAT64 discovery; documentation; AS112; AMT.
  ...['192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24'],
  // Relays of 6to4, private use, AS112, benchmarks, documentation.
  ...['192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  // Azure's platform services, which trust the machine that asks.
  '168.63.129.16/32',
  // Multicast, reserved and broadcast.
  ...['224.0.0.0/4', '240.0.0.0/4'],
  // All but global unicast: unspecified, loopback, IPv4 in IPv6 (::/96, ::ffff:0:0:0/96, 64:ff9b::/96, 64:ff9b:1::/48),
  // discard-only (100::/64), segment routing (5f00::/16), unique local, link-local, site-local and multicast.
  ...['::/3', '4000::/2', '8000::/1'],
  // Protocol assignments with Teredo (2001::/32), benchmarks, AMT, AS112, ORCHID and drones; documentation; 6to4; AS112.
  ...['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'],
];
