import { BlockList, isIP } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { SECOND } from '../domain/time';
import { addressesOf, lookupBy } from '../platform/lookup';
import { SPECIAL_PURPOSE } from './special-purpose';

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

export interface AddressCheck {
  /** Whether an endpoint may have this address. An IPv4-mapped IPv6 address is checked as IPv4. */
  permits(address: string): boolean;
  /**
   * Why an endpoint may not have this host, as text; null if it may, or if its name cannot be resolved now: the address is
   * checked at every connection.
   */
  refusalOf(this: void, hostname: string): Promise<string | null>;
}

/**
 * @param networks addresses, or networks in CIDR notation, that are permitted even if they are private or special-purpose
 * @param loopback whether loopback is permitted too
 */
export function createAddressCheck(networks: readonly string[], loopback: boolean): AddressCheck {
  // One list for each family: Node.js also compares an IPv4 address with IPv6 networks.
  const refused = {
    ipv4: listOf(SPECIAL_PURPOSE.filter(isOfIPv4)),
    ipv6: listOf(SPECIAL_PURPOSE.filter((each) => !isOfIPv4(each))),
  };
  const permitted = listOf([...networks, ...(loopback ? LOOPBACK : [])]);
  const permits = (given: string) => {
    const address = withoutMapping(given);
    const family = familyOf(address);
    return family !== null && (permitted.check(address, family) || !refused[family].check(address, family));
  };
  return {
    permits,
    refusalOf: async (hostname) => {
      const host = withoutBrackets(hostname);
      const addresses = isIP(host) === 0 ? await resolvedAddressesOf(host) : [host];
      const wrong = addresses.find((address) => !permits(address));
      return wrong === undefined ? null : 'a loopback, private, link-local, multicast or other special-purpose address';
    },
  };
}

/** For addresses from the configuration, which no caller has chosen. */
export const ANY_ADDRESS = createAddressCheck(['0.0.0.0/0', '::/0'], true);

/** Real ms for which an idle connection is kept. */
const KEEP_ALIVE_MS = 2 * SECOND;

/**
 * Agent for posts: it connects only to permitted addresses, whatever the name resolves to by then.
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
    // Kept only for immediate reuse: a longer-lived one may be closed by the endpoint while it is used.
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connections: 50,
    pipelining,
    connect: (options, callback) => {
      const host = withoutBrackets(options.hostname);
      if (isIP(host) !== 0 && !check.permits(host)) callback(new RefusedAddress(), null);
      else connect(options, callback);
    },
  });
}

/** The target address is one that no endpoint may have. */
export class RefusedAddress extends Error {
  readonly code = 'ADDRESS_REFUSED';
}

/** The addresses of a host; empty if its name cannot be resolved now. */
function resolvedAddressesOf(host: string): Promise<readonly string[]> {
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

function isOfIPv4(network: string): boolean {
  return !network.includes(':');
}

/** Removes the brackets of an IPv6 address in a URL. */
export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** An IPv4-mapped IPv6 address such as ::ffff:7f00:1: the two groups after the prefix. */
const MAPPED = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/;

/** The IPv4 address of an IPv4-mapped IPv6 address; any other address unchanged. */
function withoutMapping(address: string): string {
  if (isIP(address) !== 6 || !URL.canParse(`http://[${address}]`)) return address;
  const groups = MAPPED.exec(new URL(`http://[${address}]`).hostname);
  if (groups === null) return address;
  const [high, low] = groups.slice(1).map((group) => Number.parseInt(group, 16)) as [number, number];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  return ({ 4: 'ipv4', 6: 'ipv6' } as const)[isIP(address)] ?? null;
}
