import { ADDRCONFIG, type LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { SECOND } from '../domain/time';

/** The addresses of a host. @throws the resolver's error, which has a code */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** Real ms. Shorter than the usual wait after a first failed try. */
const CACHED_FOR = 3 * SECOND;

/**
 * Shares one lookup per host among all callers, and caches the answer briefly, including failures. Each lookup occupies a thread
 * until the resolver answers: without this, one endpoint in a DNS zone that does not answer could take the threads of all other
 * lookups.
 */
export function shareLookups(resolve: Resolve): Resolve {
  const lookups = new Map<string, ReturnType<Resolve>>();
  return (host) => {
    const known = lookups.get(host);
    if (known !== undefined) return known;
    const answer = resolve(host);
    lookups.set(host, answer);
    const expire = () => void setTimeout(() => lookups.delete(host), CACHED_FOR).unref();
    void answer.then(expire, expire);
    return answer;
  };
}

/** Uses the machine's resolver; shared by the whole process. */
export const addressesOf = shareLookups((host) => lookup(host, { all: true, hints: ADDRCONFIG }));

/** The lookup function for connections, which then go only to addresses that `resolve` returns. */
export function lookupBy(resolve: Resolve): LookupFunction {
  return (host, { all }, callback) => {
    void resolve(host).then(
      (found) => {
        const [first] = found;
        if (all === true || first === undefined) callback(null, [...found]);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, []),
    );
  };
}
