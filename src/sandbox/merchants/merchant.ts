import { BlockList, isIP } from 'node:net';
import type { Credentials } from '../options';

/** The terms of a merchant's contract. */
export interface MerchantTerms {
  /** Sandbox and production have separate credentials; this service is the sandbox. */
  readonly environment: 'sandbox' | 'production';
  readonly merchantCategoryCode?: string | undefined;
  readonly longCapturePermitted: boolean;
  readonly eventDependentRefunds: boolean;
  /** Addresses or CIDR subnets that may call; any address by default. */
  readonly allowList?: readonly string[] | undefined;
}

/** A merchant of the service. A merchant sees only its own payments. */
export interface Merchant extends Credentials, MerchantTerms {
  readonly isAllowed: (address: string) => boolean;
}

/** "Restricting access to a list of allowed IP addresses is possible." @throws RangeError for an invalid address */
export function createAllowList(entries: readonly string[] | undefined): (address: string) => boolean {
  if (entries === undefined) return () => true;
  const allowed = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    const family = familyOf(address);
    if (family === null) throw new RangeError(`expected an IP address or a CIDR subnet; got ${entry}`);
    if (prefix === undefined) allowed.addAddress(address, family);
    else allowed.addSubnet(address, Number(prefix), family);
  }
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
    return allowed.check(plain, familyOf(plain) ?? 'ipv4');
  };
}

function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  const version = isIP(address);
  if (version === 0) return null;
  return version === 4 ? 'ipv4' : 'ipv6';
}
