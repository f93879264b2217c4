import { BlockList, isIP } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { SECOND } from '../domain/time';
import { addressesOf, lookupBy } from '../lookup';

/** Addresses that no endpoint may have: private and local ones, and those that are no single host. */
const REFUSED = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/4', '240.0.0.0/4'],
  ...['::/128', '::1/128', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '2002::/16'],
  ...['fc00::/7', 'fe80::/9', 'ff00::/8'],
];
const LOOPBACK = ['127.0.0.0/8', '::1/128'];

export interface AddressCheck {
  /** Whether an endpoint may have it. An IPv4 address within an IPv6 one is judged as itself. */
  permits(address: string): boolean;
  /**
   * Why an endpoint may not have this host, for people; null where it may, or where its name is not known now: the address
   * connected to is checked at every connection.
   */
  refusalOf(this: void, hostname: string): Promise<string | null>;
}

/**
 * @param networks addresses, or networks in CIDR notation, permitted though they are private
 * @param loopback whether loopback is permitted too
 */
export function createAddressCheck(networks: readonly string[], loopback: boolean): AddressCheck {
  const refused = listOf(REFUSED);
  const permitted = listOf([...networks, ...(loopback ? LOOPBACK : [])]);
  const permits = (address: string) => {
    const family = familyOf(address);
    return family !== null && (permitted.check(address, family) || !refused.check(address, family));
  };
  return {
    permits,
    refusalOf: async (hostname) => {
      const host = withoutBrackets(hostname);
      const addresses = isIP(host) === 0 ? await knownAddressesOf(host) : [host];
      const wrong = addresses.find((address) => !permits(address));
      return wrong === undefined ? null : 'a loopback, private, link-local or multicast address';
    },
  };
}

/** For an address of the deployment's own, which no caller has chosen. */
export const ANY_ADDRESS = createAddressCheck(['0.0.0.0/0', '::/0'], true);

/** Real ms that a connection without a post is kept. */
const KEPT_FOR = 2 * SECOND;

/**
 * Posts go through it: it connects to permitted addresses only, also if the name resolves to another one by then.
 * @param pipelining 0: no connection is kept
 */
export function createCheckedAgent(check: AddressCheck, timeoutMs: number, pipelining = 1): Agent {
  const permittedOf = async (host: string) => {
    const permitted = (await addressesOf(host)).filter(({ address }) => check.permits(address));
    if (permitted.length === 0) throw new RefusedAddress();
    return permitted;
  };
  const connect = buildConnector({ timeout: timeoutMs, lookup: lookupBy(permittedOf) });
  return new Agent({
    // Kept for what comes at once: a longer-lived one may be closed by the endpoint as it is used.
    keepAliveTimeout: KEPT_FOR,
    keepAliveMaxTimeout: KEPT_FOR,
    connections: 50,
    pipelining,
    connect: (options, callback) => {
      const host = withoutBrackets(options.hostname);
      if (isIP(host) !== 0 && !check.permits(host)) callback(new RefusedAddress(), null);
      else connect(options, callback);
    },
  });
}

/** The address that was to be connected to is one that no endpoint may have. */
export class RefusedAddress extends Error {
  readonly code = 'ADDRESS_REFUSED';
}

/** None where its name is not known now. */
function knownAddressesOf(host: string): Promise<readonly string[]> {
  return addressesOf(host).then(
    (found) => found.map(({ address }) => address),
    () => [],
  );
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = familyOf(address) ?? 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** As a URL writes an IPv6 address, and as the address is. */
export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  return ({ 4: 'ipv4', 6: 'ipv6' } as const)[isIP(address)] ?? null;
}
