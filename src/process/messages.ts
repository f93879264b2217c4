import { type Config, databaseOf, templatesOf } from '../config';
import { DAY, MINUTE, SECOND } from '../domain/time';
import { type AddressCheck, createAddressCheck, createWebhookSender } from '../webhooks';
import { type DeliveryDeps, deliverMessages } from '../jobs/deliver-messages';
import { chainEntries, maintainEvents } from '../jobs/maintain-events';
import { ANSWER_MS, createPool, type UpcomingTerm } from '../ledger';
import { createNotifier, type Notifier, payerChannelSettings } from '../notices';
import { createSecretBox, type SecretBox } from '../platform/secret-box';
import type { Dependencies } from './dependencies';

/** Connections reserved for messages and the audit log's hash chain. */
const CONNECTIONS = 4;

/** Real ms between two probes of a failing endpoint. */
const PROBE_EVERY = MINUTE;

/**
 * Delivers the messages of the role: a worker, which has the channels to payers, delivers notices; an API delivers the merchant's
 * events, removes old ones, and chains the audit log.
 * @param notify notifies the workflow that waits for a notice
 */
export function startMessages(
  parts: Dependencies,
  delivers: DeliveryDeps['delivers'],
  notify: DeliveryDeps['notify'],
): { stop(): Promise<void> } {
  const { config, clock, log: logger } = parts;
  const db = createPool({
    ...databaseOf(config),
    purpose: 'events',
    max: CONNECTIONS,
    answerMs: ANSWER_MS,
    log: logger,
  });
  const sender = createWebhookSender(addressCheckOf(parts), clock);
  const notifier = openNotifier(parts);
  const box = secretBoxOf(parts);
  const { EVENT_WEBHOOK_URL: url, EVENT_WEBHOOK_SECRET: secret, CYCLE_UPCOMING_DAYS: days } = config;
  const delivering = deliverMessages({
    delivers,
    db,
    sender,
    notifier,
    noticeBackoff: config.NOTICE_BACKOFF_SECONDS,
    paymentPage: config.NOTICE_PAYMENT_LINK ? (config.PAYMENT_PAGE_URL ?? null) : null,
    notify,
    clock,
    logger,
    openSecret: (stored: string) => box.open(stored),
    env: url === undefined || secret === undefined ? null : { url, secret },
    waits: config.EVENT_BACKOFF_SECONDS,
    disableAfter: config.EVENT_DISABLE_AFTER_SECONDS * SECOND,
    probeEvery: PROBE_EVERY,
  });
  const upcoming = days === undefined ? null : days * DAY;
  const payerUpcoming = upcomingTermsOf(config);
  const keeping = delivers.events
    ? [
        maintainEvents({ db, clock, logger, retention: retentionOf(config), upcoming, payerUpcoming }),
        chainEntries({ db, clock, logger }),
      ]
    : [];
  return {
    async stop() {
      await Promise.all([delivering, ...keeping].map((each) => each.stop()));
      await Promise.all([sender.close(), notifier.close()]);
      await db.end();
    },
  };
}

/** 0 days: no notice. */
function upcomingTermsOf({ PAYER_UPCOMING_DAYS: days = [] }: Config): readonly UpcomingTerm[] {
  return days.filter(([, each]) => each > 0).map(([repetition, each]) => ({ repetition, ahead: each * DAY }));
}

/** Opens every configured channel. */
function openNotifier({ config, clock, log }: Dependencies): Notifier {
  const { EVENT_WEBHOOK_URL: url, EVENT_WEBHOOK_SECRET: secret } = config;
  return createNotifier({
    clock,
    ...payerChannelSettings(config, templatesOf(config)),
    eventWebhook: url === undefined || secret === undefined ? undefined : { url, secret },
    logger: log,
  });
}

/** Real ms: at least all configured waits and a day for jitter. An event that `Retry-After` delays may be removed before its last try. */
export function retentionOf(config: Pick<Config, 'EVENT_RETENTION_DAYS' | 'EVENT_BACKOFF_SECONDS'>): number {
  const tries = config.EVENT_BACKOFF_SECONDS.reduce((sum, wait) => sum + wait * SECOND, 0);
  return Math.max(config.EVENT_RETENTION_DAYS * DAY, tries + DAY);
}

export function addressCheckOf({ config }: Dependencies): AddressCheck {
  const isSandbox = config.PAYMENT_SERVICE_ENVIRONMENT === 'sandbox';
  return createAddressCheck(config.EVENT_ENDPOINT_NETWORKS ?? [], isSandbox);
}

export function secretBoxOf({ config }: Dependencies): SecretBox {
  return createSecretBox(config.SECRETS_KEYS ?? []);
}
