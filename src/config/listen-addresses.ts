import { isIP } from 'node:net';
import type { Values, VariableName } from './variables';
import { addressesOf, type Resolve } from '../platform/lookup';

/** Variables that name an address on which a process listens. */
export const LISTENING = ['ADMIN_HOST', 'METRICS_HOST', 'CODEC_SERVER_HOST'] as const satisfies readonly VariableName[];
export type ListeningVariable = (typeof LISTENING)[number];

/** The canonical form of an address: `0` and `0x0.0` become `0.0.0.0`, `::0` becomes `::`. Null for a name. */
function canonicalAddress(host: string): string | null {
  const address = host.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '');
  const url = isIP(address) === 6 ? `http://[${address}]` : `http://${address}`;
  if (!URL.canParse(url)) return null;
  const canonical = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(canonical) === 0 ? null : canonical;
}

const UNSPECIFIED: ReadonlySet<string | null> = new Set(['0.0.0.0', '::', '::ffff:0:0']);

/** Whether a listener at the address accepts connections on every address of the machine. False for a name. */
export function isEverywhere(host: string): boolean {
  return UNSPECIFIED.has(canonicalAddress(host));
}

/**
 * Whether a listener at the host accepts connections on every address of the machine; names are resolved. A name that cannot be
 * resolved cannot be listened on either.
 */
export async function resolvesEverywhere(host: string, resolve: Resolve = addressesOf): Promise<boolean> {
  if (isEverywhere(host)) return true;
  const addresses = await resolve(host).catch(() => []);
  return addresses.some(({ address }) => isEverywhere(address));
}

export const LISTENS_EVERYWHERE =
  'it would listen on every address of the machine; expected a single address, or the name of this variable in LISTEN_EVERYWHERE_ALLOWED';

/** Whether the operator has allowed the listener on every address. */
export function mayListenEverywhere({ LISTEN_EVERYWHERE_ALLOWED: allowed }: Values, name: ListeningVariable): boolean {
  return allowed?.includes(name) === true;
}

/** The shortest prefixes of a private network: 10.0.0.0/8 and fc00::/7. */
const WIDEST = { 4: 8, 6: 7 } as const;
/** Prefix of IPv4-mapped IPv6 addresses: ::ffff:0:0/96. */
const MAPPED_BITS = 96;

/** Networks of proxies that are wider than a private network: to trust them is to trust the `X-Forwarded-For` of any caller. */
export function findBoundlessNetworks(networks: readonly string[]): readonly string[] {
  return networks.filter((network) => {
    const [address = '', prefix] = network.split('/');
    if (prefix === undefined) return isEverywhere(address);
    if (isIP(address) === 4) return Number(prefix) < WIDEST[4];
    const isMapped = canonicalAddress(address)?.startsWith('::ffff:') === true;
    return Number(prefix) < (isMapped ? MAPPED_BITS + WIDEST[4] : WIDEST[6]);
  });
}
