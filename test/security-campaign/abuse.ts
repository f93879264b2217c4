import { HOSTILE_BODIES } from '../faults/hostile-bodies';
import { ask } from './ask';
import type { Check } from '../support/campaign';
import { noneOf } from './check';
import { makeKey, type Stage } from './stage';

/** Fault 28: checks that each invalid body is answered as documented, and that nothing of it is stored. */
export async function checkHostileBodies({ url, keys, db }: Stage): Promise<readonly Check[]> {
  const countStored = async () => (await db.query('select from subscriptions')).rowCount ?? 0;
  const before = await countStored();
  const wrong: string[] = [];
  for (const [what, body, status, code] of HOSTILE_BODIES) {
    const headers = { 'content-type': 'application/json' };
    const said = await ask(url, { method: 'POST', path: '/v1/subscriptions', key: keys.operator, body, headers });
    const isProblem = said.headers['content-type']?.startsWith('application/problem+json') === true;
    const found = isProblem ? (JSON.parse(said.text) as { code: string }).code : 'no problem details';
    if (said.status !== status || found !== code) wrong.push(`${what}: ${said.status} ${found}`);
  }
  const stored = (await countStored()) - before;
  return [
    noneOf('fault 28: hostile bodies are refused', wrong, `${HOSTILE_BODIES.length} bodies`),
    { name: 'fault 28: nothing of them is stored', holds: stored === 0, found: `${stored} stored` },
  ];
}

const GUESSES = 2_000;
const AT_ONCE = 20;

/** Fault 28: checks that a caller who guesses keys is throttled, and a caller with a key at the same address is not. */
export async function checkLockout({ url, keys }: Stage): Promise<readonly Check[]> {
  const statuses = new Map<number, number>();
  const good: number[] = [];
  let guessed = 0;
  const get = (key: string) => ask(url, { method: 'GET', path: '/v1/subscriptions?limit=1', key });
  const guessing = async () => {
    while (guessed < GUESSES) {
      guessed += 1;
      const { status } = await get(`dd_${String(guessed).padStart(43, 'x')}`);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (guessed % AT_ONCE === 0) good.push((await get(keys.viewer)).status);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, guessing));
  const { key } = await makeKey(url, keys.admin, 'viewer', [], 'never seen before');
  const first = await get(key);
  const limited = await get('dd_none');
  const told = [...statuses].map(([status, times]) => `${times} x ${status}`).join(', ');
  return [
    {
      name: 'lockout: guesses are held up',
      holds: [...statuses.keys()].every((status) => [401, 429].includes(status)) && limited.status === 429,
      found: `${told}; Retry-After ${limited.headers['retry-after'] ?? 'none'}`,
    },
    {
      name: 'lockout: good keys from the same address go on, also one that was never seen',
      holds: good.length > 0 && good.every((status) => status === 200) && first.status === 200,
      found: `${good.filter((status) => status === 200).length} of ${good.length}, then ${first.status}`,
    },
  ];
}
