import { euros, formatMoney, type Money, sameMoney } from '../money';
import { type Instant, toIso } from '../time';
import { increaseCap } from './amount';
import { type Calendar, dueAt, firstCycleFrom, type Repetition } from './schedule';

/** A fault in an import: the field, and what was expected. */
export interface MandateFault {
  readonly path: string;
  readonly message: string;
}

/** A mandate as an import describes it, to be compared with the service's record. */
export interface Mandate extends Calendar {
  /** The amount that the next cycle collects. */
  readonly amount: Money;
  /** Null: use the service's value. */
  readonly consentAmount: Money | null;
  readonly collectFrom: Instant;
  readonly lastIncreaseAt: Instant | null;
}

/** The service's record of the mandate; null for fields that it does not return. */
export interface MandateAtService {
  readonly consentAmount: Money | null;
  readonly repetition: Repetition | null;
  readonly firstPaymentAt: Instant | null;
  readonly endAt: Instant | null;
  /** Whether the service lists a successful authorization. */
  readonly hasCollected: boolean;
}

/** What dueday takes over with a consent that was granted elsewhere. */
export interface GrantedConsent {
  readonly consentAmount: Money;
  readonly collectedOnce: boolean;
  readonly lastIncreaseAt: Instant | null;
  readonly warnings: readonly string[];
}

export type MandateVerdict =
  | { readonly kind: 'accepted'; readonly consent: GrantedConsent }
  | { readonly kind: 'refused'; readonly faults: readonly MandateFault[] };

/** Whether the first due date belonged to another system: it lies before dueday starts to collect. */
export function beganElsewhere(mandate: Pick<Mandate, 'firstPaymentAt' | 'collectFrom'>): boolean {
  return mandate.firstPaymentAt < mandate.collectFrom;
}

/** Judges whether the mandate may be collected from now on, by the service's record of it (rules 9, 19). */
export function judgeMandate(mandate: Mandate, atService: MandateAtService): MandateVerdict {
  const consentAmount = atService.consentAmount ?? mandate.consentAmount;
  const differing = differences(mandate, atService);
  if (consentAmount === null) return { kind: 'refused', faults: [...differing, UNKNOWN_CONSENT_AMOUNT] };
  const collectedOnce = beganElsewhere(mandate) || atService.hasCollected;
  const faults = [...differing, ...amountFaults(mandate, consentAmount, collectedOnce)];
  if (faults.length > 0) return { kind: 'refused', faults };
  const lastIncreaseAt = lastIncrease(mandate, consentAmount);
  const warnings = [...calendarWarnings(mandate, atService), ...increaseWarnings(mandate, lastIncreaseAt)];
  return { kind: 'accepted', consent: { consentAmount, collectedOnce, lastIncreaseAt, warnings } };
}

const UNKNOWN_CONSENT_AMOUNT: MandateFault = {
  path: 'consentAmount',
  message: 'required, as the service does not report the amount of the consent',
};

/** The service judges every later collection by its own record, so a field that contradicts it is a fault. */
function differences({ consentAmount, repetition }: Mandate, atService: MandateAtService): MandateFault[] {
  const faults: MandateFault[] = [];
  if (
    consentAmount !== null &&
    atService.consentAmount !== null &&
    !sameMoney(consentAmount, atService.consentAmount)
  ) {
    const [said, got] = [formatMoney(atService.consentAmount), formatMoney(consentAmount)];
    const message = `expected ${said}, as in the service's record of the consent; got ${got}`;
    faults.push({ path: 'consentAmount', message });
  }
  if (atService.repetition !== null && repetition !== atService.repetition) {
    const message = `expected ${atService.repetition}, as in the service's record of the consent; got ${repetition}`;
    faults.push({ path: 'repetition', message });
  }
  return faults;
}

/** Faults of an amount that the service would refuse when it is collected. */
export function amountFaults(
  { amount, repetition }: Pick<Mandate, 'amount' | 'repetition'>,
  consentAmount: Money,
  collectedOnce: boolean,
): MandateFault[] {
  const fault = (expected: string): MandateFault[] => [
    { path: 'amount', message: `expected ${expected}; got ${formatMoney(amount)}` },
  ];
  if (!collectedOnce && !sameMoney(amount, consentAmount)) {
    return fault(`${formatMoney(consentAmount)}, the amount of the consent, as nothing has been collected yet`);
  }
  const most = euros(Math.max(increaseCap(repetition).value, consentAmount.value));
  return amount.value > most.value ? fault(`at most ${formatMoney(most)}, by the cap of ${repetition}`) : [];
}

/**
 * An amount above the consent's is an increase that counts. If the import does not say when it was made, it counts as made when
 * collecting starts here: a time that is too late only costs a wait, one that is too early a refusal by the service (rule 20).
 */
function lastIncrease({ amount, lastIncreaseAt, collectFrom }: Mandate, consentAmount: Money): Instant | null {
  return lastIncreaseAt ?? (amount.value > consentAmount.value ? collectFrom : null);
}

function increaseWarnings(mandate: Mandate, lastIncreaseAt: Instant | null): string[] {
  if (lastIncreaseAt === null || mandate.lastIncreaseAt !== null) return [];
  return [
    `amount is above the consent's and lastIncreaseAt was not given: it counts as increased at ${toIso(lastIncreaseAt)}`,
  ];
}

/**
 * The service judges due dates by the consent's own dates, with a tolerance of days. So a difference is only a warning: it may
 * be within the tolerance.
 */
function calendarWarnings(mandate: Mandate, atService: MandateAtService): string[] {
  const first = dueAt(mandate, firstCycleFrom(mandate, mandate.collectFrom));
  const warnings: string[] = [];
  if (atService.firstPaymentAt !== null && !fallsOn({ ...mandate, firstPaymentAt: atService.firstPaymentAt }, first)) {
    warnings.push(
      `${toIso(first)} is not a due date of the consent, whose firstPaymentAt is ${toIso(atService.firstPaymentAt)}`,
    );
  }
  if (atService.endAt !== null && (mandate.endAt === null || mandate.endAt > atService.endAt)) {
    warnings.push(`the consent ends at ${toIso(atService.endAt)}, before the subscription does`);
  }
  return warnings;
}

function fallsOn(calendar: Calendar, instant: Instant): boolean {
  return dueAt(calendar, firstCycleFrom(calendar, instant)) === instant;
}
