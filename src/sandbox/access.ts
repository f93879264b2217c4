import { BlockList, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { Refusal } from './refusal';
import type { Service } from './service';
import { isSameText } from './tokens';

/** "Restricting access to a list of allowed IP addresses is possible." @throws RangeError for what is no address */
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

/** The bearer token, and the API key where one is configured. @throws Refusal UNAUTHENTICATED */
export function requireToken({ settings, tokens }: Service, request: FastifyRequest): void {
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined || !tokens.isValid(token)) {
    throw new Refusal('UNAUTHENTICATED', 'the token is missing or has expired');
  }
  const key = request.headers['x-api-key'];
  if (settings.apiKey !== undefined && !(typeof key === 'string' && isSameText(key, settings.apiKey))) {
    throw new Refusal('UNAUTHENTICATED', 'X-API-Key is missing or wrong');
  }
}
