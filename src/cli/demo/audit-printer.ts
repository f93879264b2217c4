import { toIso } from '../../domain/time';
import { type Money, formatMoney } from '../../domain/money';
import { type EventRecord, listEvents, readList } from '../../ledger';
import { loggable } from '../../platform/log';
import type { Dependencies } from '../../process/dependencies';
import { print } from '../output';

const INTERVAL = 250;
const PAGE = 200;

/** Prints each audit entry as it is written. */
export interface AuditPrinter {
  /** Prints the remaining entries, and stops. */
  stop(): Promise<void>;
}

export function printAuditLog({ ledgers, log }: Dependencies): AuditPrinter {
  let last = 0;
  let printing: Promise<void> = Promise.resolve();
  const printNew = async () => {
    const { items } = await readList(ledgers.reading, (db) => listEvents(db, {}, { limit: PAGE, cursor: null }));
    const fresh = items.filter(({ id }) => id > last).reverse();
    fresh.forEach((event) => print(describeEvent(event)));
    last = fresh.at(-1)?.id ?? last;
  };
  const timer = setInterval(() => {
    printing = printing
      .then(printNew)
      .catch((error: unknown) => log.error({ err: loggable(error) }, 'the audit log cannot be read'));
  }, INTERVAL);
  let stopping: Promise<void> | null = null;
  const stop = async () => {
    clearInterval(timer);
    await printing;
    await printNew();
  };
  return { stop: () => (stopping ??= stop()) };
}

/** `2027-01-29T20:00:03.000Z  weekly      cycle.collected           cycle 0, 19.99 EUR`. */
function describeEvent({ at, subscriptionId, type, data }: EventRecord): string {
  const who = (subscriptionId ?? '').padEnd(22);
  return `${toIso(at)}  ${who}  ${type.padEnd(28)}  ${describeData(data)}`.trimEnd();
}

const SHOWN = ['cycle', 'attempt', 'send', 'amount', 'detail', 'reason', 'retryAt', 'until', 'cancelledBy', 'channel'];

function describeData(data: Readonly<Record<string, unknown>>): string {
  const parts = SHOWN.flatMap((field) => {
    const value = data[field];
    if (field === 'amount' && value != null) return [formatMoney(value as Money)];
    return typeof value === 'string' || typeof value === 'number' ? [`${field} ${value}`] : [];
  });
  return parts.join(', ');
}
