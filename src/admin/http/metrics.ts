import type { FastifyInstance } from 'fastify';
import { Histogram, type Registry, Gauge } from 'prom-client';
import { type Instant, SECOND } from '../../domain/time';
import { type Alarms, readAlarms, readList } from '../../ledger';
import { loggable } from '../../platform/log';
import type { CountingDeps } from '../dependencies';

/** Measures the duration of requests, by route and not by path, because paths contain ids. */
export function measureRequests(app: FastifyInstance, registry: Registry): void {
  const seconds = new Histogram({
    name: 'dueday_admin_request_seconds',
    help: 'Seconds from a request to the admin API to its response',
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

/** One number for the whole ledger; omitted if it is null. */
interface Figure {
  readonly name: string;
  readonly help: string;
  /** @param now business time */
  readonly read: (alarms: Alarms, now: Instant) => number | null;
}

const FIGURES: readonly Figure[] = [
  {
    name: 'live_subscriptions',
    help: 'Subscriptions that are neither drafts nor ended',
    read: ({ liveSubscriptions }) => liveSubscriptions,
  },
  {
    name: 'oldest_unhandled_item_seconds',
    help: 'Business time since the oldest open attention item without assignee and note was opened',
    read: ({ oldestUnhandled }, now) => secondsBetween(oldestUnhandled, now),
  },
  {
    name: 'due_not_tried',
    help: 'Due dates in the past that have no attempt yet, except those that a pause, a cancellation, a hold or a postponement stops',
    read: ({ dueUntried }) => dueUntried,
  },
  {
    name: 'least_window_seconds',
    help: 'Business time until the next window closes among cycles that are due, not final and not stopped',
    read: ({ nextWindowEnd }, now) => secondsBetween(now, nextWindowEnd),
  },
  {
    name: 'windows_closing_within_a_day',
    help: 'Cycles that are due, not final and not stopped, whose window closes within 24 hours',
    read: ({ windowsClosing }) => windowsClosing,
  },
  {
    name: 'unknown_outcomes',
    help: 'Sends with an unknown outcome',
    read: ({ unknown }) => unknown,
  },
  {
    name: 'unknown_outcomes_for_an_hour',
    help: 'Sends with an outcome that has been unknown for an hour',
    read: ({ unknownForAnHour }) => unknownForAnHour,
  },
  {
    name: 'sent_without_answer',
    help: 'Open cycles, captures and refunds sent three times or more without a readable answer',
    read: ({ sentWithoutAnswer }) => sentWithoutAnswer,
  },
  {
    name: 'notices_pending',
    help: 'Notices that are neither delivered nor abandoned',
    read: ({ noticesPending }) => noticesPending,
  },
  {
    name: 'oldest_notice_seconds',
    help: 'Business time since the oldest pending notice was created',
    read: ({ oldestNotice }, now) => secondsBetween(oldestNotice, now),
  },
  {
    name: 'ledger_differences',
    help: 'Differences between ledger and payment service that wait for an operator',
    read: ({ ledgerDifferences }) => ledgerDifferences,
  },
  {
    name: 'oldest_uncompared_seconds',
    help: 'Business time since the payment that has waited longest was compared with the payment service',
    read: ({ daily }) => daily.oldestUncompared,
  },
  { name: 'halted', help: '1 while all sending is halted', read: ({ isHalted }) => (isHalted ? 1 : 0) },
];

function secondsBetween(from: Instant | null, to: Instant | null): number | null {
  return from === null || to === null ? null : Math.max(0, to - from) / SECOND;
}

/**
 * Metrics of what waits for an operator or for its time. The returned function counts them in the ledger: call it before the
 * metrics are read. While the ledger is unreachable, all except `dueday_ledger_up` are omitted.
 */
export function countAlarms({ reading, clock, logger, registry }: CountingDeps): () => Promise<void> {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `dueday_${name}`, help, labelNames, registers: [registry] });
  const up = gauge('ledger_up', '1 if the ledger answered for these metrics');
  const items = gauge('attention_items_open', 'Open attention items by kind', ['kind']);
  const dailyChecks = gauge('daily_check_age_seconds', 'Business time since a daily check last finished', ['check']);
  const figures = FIGURES.map(({ name, help, read }) => ({ shown: gauge(name, help), read }));
  const reset = () => {
    [items, dailyChecks].forEach((each) => each.reset());
    figures.forEach(({ shown }) => shown.remove());
  };
  const show = (alarms: Alarms, now: Instant) => {
    Object.entries(alarms.attentionItems).forEach(([kind, count]) => items.set({ kind }, count));
    Object.entries(alarms.daily.checks).forEach(([check, age]) => dailyChecks.set({ check }, age));
    for (const { shown, read } of figures) {
      const figure = read(alarms, now);
      if (figure !== null) shown.set(figure);
    }
  };
  return async () => {
    try {
      const now = clock.now();
      const alarms = await readList(reading, (db) => readAlarms(db, now, clock.realNow()));
      reset();
      show(alarms, now);
      up.set(1);
    } catch (error) {
      logger.warn({ err: loggable(error) }, 'the ledger could not be read for metrics');
      reset();
      up.set(0);
    }
  };
}
