import { type Config, databaseOf } from '../config';
import { DAY, SECOND } from '../domain/time';
import { type AddressCheck, createAddressCheck, createEventSender } from '../events';
import { deliverEvents } from '../jobs/deliver-events';
import { chainEntries, keepEvents } from '../jobs/keep-events';
import { ANSWER_MS, createPool } from '../ledger';
import { createSecretBox, type SecretBox } from '../secret-box';
import type { Dependencies } from './dependencies';

/** Connections for events and the trail's chain, apart from all others. */
const CONNECTIONS = 4;

/** Places, delivers and keeps the merchant's events, and chains the trail that they come from. */
export function startEvents(parts: Dependencies): { stop(): Promise<void> } {
  const { config, clock, log: logger } = parts;
  const db = createPool({
    ...databaseOf(config),
    purpose: 'events',
    max: CONNECTIONS,
    answerMs: ANSWER_MS,
    log: logger,
  });
  const sender = createEventSender(addressCheckOf(parts), clock);
  const box = secretBoxOf(parts);
  const { EVENT_WEBHOOK_URL: url, EVENT_WEBHOOK_SECRET: secret, CYCLE_UPCOMING_DAYS: days } = config;
  const delivering = deliverEvents({
    db,
    sender,
    clock,
    logger,
    openSecret: (stored: string) => box.open(stored),
    env: url === undefined || secret === undefined ? null : { url, secret },
    waits: config.EVENT_BACKOFF_SECONDS,
    disableAfter: config.EVENT_DISABLE_AFTER_SECONDS * SECOND,
  });
  const keeping = keepEvents({
    db,
    clock,
    logger,
    retention: retentionOf(config),
    upcoming: days === undefined ? null : days * DAY,
  });
  const chaining = chainEntries({ db, clock, logger });
  return {
    async stop() {
      await Promise.all([delivering.stop(), keeping.stop(), chaining.stop()]);
      await sender.close();
      await db.end();
    },
  };
}

/** Real ms. No event goes before the tries of its deliveries are over, with a day for their jitter. */
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
