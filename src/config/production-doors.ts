import { isIP } from 'node:net';
import type { Values, VariableName } from './variables';
import { addressesOf, type Resolve } from '../platform/lookup';

/** Variables that name an address on which a process listens. */
export const LISTENING = ['ADMIN_HOST', 'METRICS_HOST', 'CODEC_SERVER_HOST'] as const satisfies readonly VariableName[];
export type ListeningVariable = (typeof LISTENING)[number];

/** Every spelling of an address is one: `0`, `0x0.0` and `::0` are no other ones. Null for a name. */
function canonicalAddress(host: string): string | null {
  const address = host.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '');
  const url = isIP(address) === 6 ? `http://[${address}]` : `http://${address}`;
  if (!URL.canParse(url)) return null;
  const canonical = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(canonical) === 0 ? null : canonical;
}

const UNSPECIFIED: ReadonlySet<string | null> = new Set(['0.0.0.0', '::', '::ffff:0:0']);

/** Whether a listener at the address accepts connections at every address of the machine. Of a name: false. */
export function isEverywhere(host: string): boolean {
  return UNSPECIFIED.has(canonicalAddress(host));
}

/** Whether a name means such an address. One that cannot be resolved cannot be listened at either. */
export async function resolvesEverywhere(host: string, resolve: Resolve = addressesOf): Promise<boolean> {
  if (isEverywhere(host)) return true;
  const addresses = await resolve(host).catch(() => []);
  return addresses.some(({ address }) => isEverywhere(address));
}

export const EVERYWHERE_MESSAGE =
  'it would listen on every address of the machine; expected one address, or the variable in LISTEN_EVERYWHERE_ALLOWED';

/** Whether the operator has allowed the listener to be reached at every address. */
export function mayListenEverywhere({ LISTEN_EVERYWHERE_ALLOWED: allowed }: Values, name: ListeningVariable): boolean {
  return allowed?.includes(name) === true;
}

/** The shortest prefixes of a private network: 10.0.0.0/8 and fc00::/7. */
const WIDEST = { 4: 8, 6: 7 } as const;
/** Of IPv4 addresses as IPv6 writes them: ::ffff:0:0/96. */
const MAPPED_BITS = 96;

/** Networks that hold addresses of anybody: whoever reaches the API could claim any address. */
export function findBoundlessNetworks(networks: readonly string[]): readonly string[] {
  return networks.filter((network) => {
    const [address = '', prefix] = network.split('/');
    if (prefix === undefined) return isEverywhere(address);
    if (isIP(address) === 4) return Number(prefix) < WIDEST[4];
    const isMapped = canonicalAddress(address)?.startsWith('::ffff:') === true;
    return Number(prefix) < (isMapped ? MAPPED_BITS + WIDEST[4] : WIDEST[6]);
  });
}
