import { randomUUID } from 'node:crypto';
import { DAY, HOUR, MINUTE } from '../../src/domain/time';
import { insertEndpoint, insertEvent } from '../../src/ledger';
import { queueEvents, tryOnce } from './delivery-fixture';
import { NOW, subscribe, useLedger } from './ledger-fixture';

const ledger = useLedger();

const act = { actor: 'ada', at: NOW };

test.each([
  ['an hour if its Retry-After is an hour', HOUR, HOUR],
  ['a day if its Retry-After is longer', 400 * DAY, DAY],
  ['a minute if its Retry-After is shorter', 1, MINUTE],
])('an endpoint that keeps failing is not probed for %s', async (_howLong, retryAfter, pause) => {
  const endpointId = `whe_${randomUUID().replaceAll('-', '')}`;
  const wanted = { endpointId, url: 'https://shop.example/', description: null, secret: 'whsec_x', enabled: true };
  await insertEndpoint(ledger.pool, { ...wanted, types: ['cycle.*'] }, act);
  const { subscriptionId } = await subscribe(ledger.pool);
  await insertEvent(ledger.pool, {
    subscriptionId,
    at: NOW,
    actor: 'dueday',
    type: 'cycle.missed',
    data: { cycle: 0 },
  });
  await queueEvents(ledger.pool);
  const failed = { state: 'pending', status: 503, wait: HOUR } as const;
  const [event] = await tryOnce(ledger.pool, endpointId, failed, NOW);
  await ledger.pool.query('update webhook_endpoints set next_probe_real_at = now() where endpoint_id = $1', [
    endpointId,
  ]);
  expect(await tryOnce(ledger.pool, endpointId, { ...failed, isEarly: true, retryAfter }, NOW)).toEqual([event]);
  const { rows } = await ledger.pool.query<{ left: number }>(
    `select extract(epoch from next_probe_real_at - clock_timestamp())::float8 * 1000 as left
     from webhook_endpoints where endpoint_id = $1`,
    [endpointId],
  );
  expect(rows[0]!.left).toBeGreaterThan(pause - MINUTE / 2);
  expect(rows[0]!.left).toBeLessThanOrEqual(pause);
});
