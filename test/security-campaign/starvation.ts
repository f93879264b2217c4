import { SECOND } from '../../src/domain/time';
import { ask, askJson } from './ask';
import type { Check } from '../support/campaign';
import { type Stage, SUBSCRIPTIONS } from './stage';

const VIEWERS = 60;
const STEERED = 10;
/** Real ms (rule 31). */
const SLOWEST_STOP = SECOND;

/** Fault 42: checks that a caller who pauses is answered while sixty callers search without end. */
export async function checkStarvation({ url, keys, db }: Stage): Promise<readonly Check[]> {
  const holder = await db.connect();
  let isHungry = true;
  const searches = new Map<number, number>();
  const viewers: Promise<void>[] = [];
  const steered: { status: number; ms: number }[] = [];
  try {
    // Only searches read this table.
    await holder.query('begin; lock table subscription_words in access exclusive mode');
    const searching = async () => {
      while (isHungry) {
        const { status } = await ask(url, { method: 'GET', path: '/v1/subscriptions?q=ada', key: keys.viewer });
        searches.set(status, (searches.get(status) ?? 0) + 1);
      }
    };
    viewers.push(...Array.from({ length: VIEWERS }, searching));
    for (let n = 0; n < STEERED; n += 1) {
      const path = `/v1/subscriptions/${SUBSCRIPTIONS[0] ?? ''}/${n % 2 === 0 ? 'pause' : 'resume'}`;
      const startedAt = performance.now();
      const { status } = await askJson(url, keys.operator, 'POST', path, { reason: 'starvation' });
      steered.push({ status, ms: performance.now() - startedAt });
    }
  } finally {
    isHungry = false;
    await Promise.all(viewers);
    await holder.query('rollback');
    holder.release();
  }
  const after = await ask(url, { method: 'GET', path: '/v1/subscriptions?q=ada', key: keys.viewer });
  const slowest = Math.round(Math.max(...steered.map(({ ms }) => ms)));
  const told = [...searches].map(([status, times]) => `${times} x ${status}`).join(', ');
  return [
    {
      name: 'starvation: pausing is answered within a second',
      holds: steered.every(({ status }) => status === 200) && slowest <= SLOWEST_STOP,
      found: `${steered.map(({ status }) => status).join(' ')}, the slowest in ${slowest} ms`,
    },
    {
      name: 'starvation: who searches is sent away, and is served again afterwards',
      holds: [...searches.keys()].every((status) => status === 503) && after.status === 200,
      found: `${told}, then ${after.status}`,
    },
  ];
}
