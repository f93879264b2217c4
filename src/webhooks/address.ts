import { BlockList, isIP } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { SECOND } from '../domain/time';
import { addressesOf, lookupBy } from '../platform/lookup';
import { SPECIAL_PURPOSE } from './special-purpose';

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
  // A list for each family: Node.js compares an IPv4 address with networks of IPv6, too.
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
      const addresses = isIP(host) === 0 ? await knownAddressesOf(host) : [host];
      const wrong = addresses.find((address) => !permits(address));
      return wrong === undefined ? null : 'a loopback, private, link-local, multicast or other special-purpose address';
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

function isOfIPv4(network: string): boolean {
  return !network.includes(':');
}

/** As a URL writes an IPv6 address, and as the address is. */
export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Of IPv4 as IPv6 writes it, such as ::ffff:7f00:1: the two groups behind the prefix. */
const MAPPED = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/;

/** An IPv4 address, if it is one within an IPv6 address; else as it is. */
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
