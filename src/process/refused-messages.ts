import type { InjectedSinks } from '@temporalio/worker';
import type { RefusalSinks } from '../contract/refusals';
import { MINUTE } from '../domain/time';
import type { Logger } from '../log';
import type { ReportRefusal } from '../payload-binding';
import type { Telemetry } from '../telemetry';

/** Counts each refused message, and logs one a minute with how many there were since the last line. */
export function createRefusalReport(log: Logger, { recordRefusal }: Pick<Telemetry, 'recordRefusal'>): ReportRefusal {
  let refused = 0;
  let loggedAt = -Infinity;
  return (kind, name, why) => {
    recordRefusal(kind);
    refused += 1;
    // Real time, which no clock that is set affects.
    if (performance.now() - loggedAt < MINUTE) return;
    log.warn({ security: 'message.refused', what: `${kind} ${name}`, why, refused }, 'security event');
    loggedAt = performance.now();
    refused = 0;
  };
}

/** The same for what workflows refuse. */
export function refusalSinks(report: ReportRefusal): InjectedSinks<RefusalSinks> {
  return { refusals: { report: { fn: (_info, kind, name, why) => report(kind, name, why), callDuringReplay: false } } };
}
