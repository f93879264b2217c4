import { ADDRCONFIG, type LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { SECOND } from '../domain/time';

/** The addresses of a host. @throws the resolver's error, which has a code */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** Real ms. Shorter than the usual wait after a first try in vain. */
const KEPT_FOR = 3 * SECOND;

/**
 * Asks for a host once at a time, for all who want to know it, and keeps the answer for a moment, also that there is none. Each
 * question holds a thread until the resolver answers: the name of one endpoint, in a zone that hangs, could take the threads by
 * which every other name is asked for.
 */
export function shareLookups(resolve: Resolve): Resolve {
  const asked = new Map<string, ReturnType<Resolve>>();
  return (host) => {
    const known = asked.get(host);
    if (known !== undefined) return known;
    const answer = resolve(host);
    asked.set(host, answer);
    const keep = () => void setTimeout(() => asked.delete(host), KEPT_FOR).unref();
    void answer.then(keep, keep);
    return answer;
  };
}

/** By the machine's resolver, shared by the whole process. */
export const addressesOf = shareLookups((host) => lookup(host, { all: true, hints: ADDRCONFIG }));

/** For connections: they go to these addresses, and to no others. */
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
