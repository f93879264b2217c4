import type { FastifyInstance } from 'fastify';
import { Histogram, type Registry, Gauge } from 'prom-client';
import { type Instant, SECOND } from '../../domain/time';
import { type Alarms, readAlarms, readList } from '../../ledger';
import { loggable } from '../../platform/log';
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

/** One number of the whole ledger; left out where it is null. */
interface Figure {
  readonly name: string;
  readonly help: string;
  /** @param now business time */
  readonly read: (alarms: Alarms, now: Instant) => number | null;
}

const FIGURES: readonly Figure[] = [
  {
    name: 'due_not_tried',
    help: 'Due dates that have come and have no attempt yet, but for what a pause or a cancellation holds',
    read: ({ dueUntried }) => dueUntried,
  },
  {
    name: 'least_window_seconds',
    help: 'Business time until the next window closes of what is due and not final',
    read: ({ nextWindowEnd }, now) => secondsBetween(now, nextWindowEnd),
  },
  {
    name: 'windows_closing_within_a_day',
    help: 'Open cycles whose window closes within 24 hours',
    read: ({ windowsClosing }) => windowsClosing,
  },
  {
    name: 'unknown_outcomes',
    help: 'Sends whose outcome is not known',
    read: ({ unknown }) => unknown,
  },
  {
    name: 'unknown_outcomes_for_an_hour',
    help: 'Sends whose outcome has not been known for an hour',
    read: ({ unknownForAnHour }) => unknownForAnHour,
  },
  {
    name: 'sent_in_vain',
    help: 'Open cycles, captures and refunds sent three times or more without a readable answer',
    read: ({ sentInVain }) => sentInVain,
  },
  {
    name: 'notices_pending',
    help: 'Notices that are neither delivered nor given up',
    read: ({ noticesPending }) => noticesPending,
  },
  {
    name: 'oldest_notice_seconds',
    help: 'Business time since the oldest notice was ordered that is pending',
    read: ({ oldestNotice }, now) => secondsBetween(oldestNotice, now),
  },
  {
    name: 'ledger_differences',
    help: 'Differences between ledger and service that wait for a person',
    read: ({ ledgerDifferences }) => ledgerDifferences,
  },
  {
    name: 'oldest_uncompared_seconds',
    help: 'Business time since the payment was compared with the service that has waited longest',
    read: ({ daily }) => daily.oldestUncompared,
  },
  { name: 'halted', help: '1 while all sending is halted', read: ({ isHalted }) => (isHalted ? 1 : 0) },
];

function secondsBetween(from: Instant | null, to: Instant | null): number | null {
  return from === null || to === null ? null : Math.max(0, to - from) / SECOND;
}

/**
 * What waits, for a person or for its time, as metrics. The answer counts it anew from the ledger: call it before they are
 * read. Without the ledger they are left out.
 */
export function countAlarms({ reading, clock, logger, registry }: CountingDeps): () => Promise<void> {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `dueday_${name}`, help, labelNames, registers: [registry] });
  const up = gauge('ledger_up', '1 where the ledger answered for these metrics');
  const items = gauge('attention_matters', 'Open attention items by kind', ['kind']);
  const looks = gauge('daily_look_age_seconds', 'Business time since a daily look last came to its end', ['look']);
  const figures = FIGURES.map(({ name, help, read }) => ({ shown: gauge(name, help), read }));
  const forget = () => {
    [items, looks].forEach((each) => each.reset());
    figures.forEach(({ shown }) => shown.remove());
  };
  const show = (alarms: Alarms, now: Instant) => {
    Object.entries(alarms.attentionItems).forEach(([kind, count]) => items.set({ kind }, count));
    Object.entries(alarms.daily.looks).forEach(([look, age]) => looks.set({ look }, age));
    for (const { shown, read } of figures) {
      const figure = read(alarms, now);
      if (figure !== null) shown.set(figure);
    }
  };
  return async () => {
    try {
      const now = clock.now();
      const alarms = await readList(reading, (db) => readAlarms(db, now, clock.realNow()));
      forget();
      show(alarms, now);
      up.set(1);
    } catch (error) {
      logger.warn({ err: loggable(error) }, 'the ledger could not be read for the metrics');
      forget();
      up.set(0);
    }
  };
}
