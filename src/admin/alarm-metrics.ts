import { Gauge } from 'prom-client';
import { type Alarms, readAlarms, readList } from '../ledger';
import { loggable } from '../log';
import type { AdminDeps } from './admin-deps';

/**
 * What waits for a person, as metrics. The answer counts it anew from the ledger: call it before they are read. Without the
 * ledger they are left out.
 */
export function countAlarms({ reading, clock, logger, registry }: AdminDeps): () => Promise<void> {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `dueday_${name}`, help, labelNames, registers: [registry] });
  const up = gauge('ledger_up', '1 where the ledger answered for these metrics');
  const matters = gauge('attention_matters', 'Matters that wait for a person, by kind', ['kind']);
  const unknown = gauge('unknown_outcomes_for_an_hour', 'Sends whose outcome has not been known for an hour');
  const inVain = gauge('sent_in_vain', 'Open cycles, captures and refunds sent three times or more without a word');
  const closing = gauge('windows_closing_within_a_day', 'Open cycles whose window closes within 24 hours');
  const differences = gauge('ledger_differences', 'Differences that the last reconciliation found');
  const halted = gauge('halted', '1 while all sending is halted');
  const forget = () => {
    matters.reset();
    [unknown, inVain, closing, differences, halted].forEach((each) => each.remove());
  };
  const show = (alarms: Alarms) => {
    Object.entries(alarms.matters).forEach(([kind, count]) => matters.set({ kind }, count));
    unknown.set(alarms.unknownForAnHour);
    inVain.set(alarms.sentInVain);
    closing.set(alarms.windowsClosing);
    halted.set(alarms.isHalted ? 1 : 0);
    if (alarms.ledgerDifferences !== null) differences.set(alarms.ledgerDifferences);
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
