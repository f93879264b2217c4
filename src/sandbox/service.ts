import { randomUUID } from 'node:crypto';
import type { Clock } from '../platform/clock';
import type { Logger } from '../platform/log';
import type { FaultQueue } from './faults/faults';
import type { AppliedContradictions } from './faults/applied-contradictions';
import type { Merchants } from './merchants/merchants';
import type { Settings } from './options';
import type { PaymentStore } from './payments/store';
import type { RefusalLog } from './refusal-log';
import type { Tokens } from './merchants/tokens';

/** The dependencies of every part of the simulated service. */
export interface Service {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly log: Logger;
  readonly merchants: Merchants;
  readonly tokens: Tokens;
  readonly payments: PaymentStore;
  readonly faults: FaultQueue;
  /** What the service reports in contradiction to its records. */
  readonly contradictions: AppliedContradictions;
  readonly refusals: RefusalLog;
  /** URL by which the payer's browser reaches the payer page; known once the server listens. */
  readonly publicUrl: () => string;
}

/** Such as `pay_6f1c…`: shows its kind and cannot be guessed. */
export function newId(kind: 'pay' | 'con' | 'aut' | 'cap' | 'ref' | 'wal'): string {
  return `${kind}_${randomUUID()}`;
}

/** The id of a new authorization, capture or refund, after the payment's `earlier` ones. */
export function newRecordId({ settings }: Service, kind: 'aut' | 'cap' | 'ref', earlier: readonly unknown[]): string {
  return settings.numberedIds ? String(earlier.length + 1) : newId(kind);
}

/** Business time at a recent real instant, since bookings and time-outs run in real time. */
export function businessTimeAt(clock: Clock, real: number): number {
  return Math.floor(clock.now() - (clock.realNow() - real) * (clock.setting?.speed ?? 1));
}
