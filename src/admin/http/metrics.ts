import type { FastifyInstance } from 'fastify';
import { Histogram, type Registry, Gauge } from 'prom-client';
import { type Alarms, readAlarms, readList } from '../../ledger';
import { loggable } from '../../log';
import type { CountingDeps } from '../dependencies';

/** How long requests take, by route and not by path: paths hold ids. */
export function measureRequests(app: FastifyInstance, registry: Registry): void {
  const seconds = new Histogram({
    name: 'dueday_admin_request_seconds',
    help: 'Seconds from a request of the admin API to its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    const labels = { method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode };
    seconds.observe(labels, reply.elapsedTime / 1000);
    request.log.debug({ ...labels, actor: request.caller?.name, ms: Math.round(reply.elapsedTime) }, 'answered');
  });
}

/**
 * What waits for a person, as metrics. The answer counts it anew from the ledger: call it before they are read. Without the
 * ledger they are left out.
 */
export function countAlarms({ reading, clock, logger, registry }: CountingDeps): () => Promise<void> {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `dueday_${name}`, help, labelNames, registers: [registry] });
  const up = gauge('ledger_up', '1 where the ledger answered for these metrics');
  const items = gauge('attention_matters', 'Open attention items by kind', ['kind']);
  const unknown = gauge('unknown_outcomes_for_an_hour', 'Sends whose outcome has not been known for an hour');
  const inVain = gauge(
    'sent_in_vain',
    'Open cycles, captures and refunds sent three times or more without a readable answer',
  );
  const closing = gauge('windows_closing_within_a_day', 'Open cycles whose window closes within 24 hours');
  const differences = gauge('ledger_differences', 'Differences between ledger and service that wait for a person');
  const uncompared = gauge(
    'oldest_uncompared_seconds',
    'Business time since the payment was compared with the service that has waited longest',
  );
  const looks = gauge('daily_look_age_seconds', 'Business time since a daily look last came to its end', ['look']);
  const halted = gauge('halted', '1 while all sending is halted');
  const forget = () => {
    [items, looks].forEach((each) => each.reset());
    [unknown, inVain, closing, differences, uncompared, halted].forEach((each) => each.remove());
  };
  const show = (alarms: Alarms) => {
    Object.entries(alarms.attentionItems).forEach(([kind, count]) => items.set({ kind }, count));
    unknown.set(alarms.unknownForAnHour);
    inVain.set(alarms.sentInVain);
    closing.set(alarms.windowsClosing);
    halted.set(alarms.isHalted ? 1 : 0);
    differences.set(alarms.ledgerDifferences);
    const { oldestUncompared, looks: ages } = alarms.daily;
    if (oldestUncompared !== null) uncompared.set(oldestUncompared);
    Object.entries(ages).forEach(([look, age]) => looks.set({ look }, age));
  };
  return async () => {
    try {
      const alarms = await readList(reading, (db) => readAlarms(db, clock.now(), clock.realNow()));
      forget();
      show(alarms);
      up.set(1);
    } catch (error) {
      logger.warn({ err: loggable(error) }, 'the ledger could not be read for the metrics');
      forget();
      up.set(0);
    }
  };
}
