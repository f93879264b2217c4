import { randomUUID } from 'node:crypto';
import type { Clock } from '../platform/clock';
import type { Logger } from '../platform/log';
import type { FaultQueue } from './faults/faults';
import type { Lies } from './faults/lies';
import type { Merchants } from './merchants/merchants';
import type { Settings } from './options';
import type { PaymentStore } from './payments/store';
import type { RefusalLog } from './refusal-log';
import type { Tokens } from './merchants/tokens';

/** What every part of the simulated service works with. */
export interface Service {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly log: Logger;
  readonly merchants: Merchants;
  readonly tokens: Tokens;
  readonly payments: PaymentStore;
  readonly faults: FaultQueue;
  /** What it says against its own record. */
  readonly lies: Lies;
  readonly refusals: RefusalLog;
  /** Where the payer's browser reaches the payer page; known once the server listens. */
  readonly publicUrl: () => string;
}

/** `pay_6f1c…`: says what it names, and cannot be guessed. */
export function newId(kind: 'pay' | 'con' | 'aut' | 'cap' | 'ref' | 'wal'): string {
  return `${kind}_${randomUUID()}`;
}

/** Of a new authorization, capture or refund of the payment that has had these. */
export function newRecordId({ settings }: Service, kind: 'aut' | 'cap' | 'ref', earlier: readonly unknown[]): string {
  return settings.numberedIds ? String(earlier.length + 1) : newId(kind);
}

/** Business time at a real instant that is not long ago: bookings and time-outs run in real time. */
export function businessTimeAt(clock: Clock, real: number): number {
  return Math.floor(clock.now() - (clock.realNow() - real) * (clock.setting?.speed ?? 1));
}
