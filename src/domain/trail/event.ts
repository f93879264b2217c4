import { formatMoney } from '../money';

/** Every type of entry that the trail may get, by subject. Rules cited and sentences are held to be complete by these. */

export const SUBSCRIPTION_EVENTS = [
  'subscription.requested',
  'subscription.imported',
  'subscription.paused',
  'subscription.resumed',
  'subscription.cancel_requested',
  'subscription.cancelled',
  'subscription.completed',
  'subscription.replacement_requested',
  'subscription.replacement_failed',
  'subscription.replaced',
  'subscription.orphaned',
  'subscription.restarted',
  'consent.requested',
  'consent.granted',
  'consent.failed',
  'attention.changed',
  'attention.acknowledged',
  'request.refused',
] as const;

export const AMOUNT_EVENTS = [
  'amount_change.accepted',
  'amount_change.withdrawn',
  'amount_change.dropped',
  'amount_change.refused',
  'amount_change.announcing',
  'amount_change.notice_delivered',
  'amount_change.notice_undeliverable',
] as const;

export const CYCLE_EVENTS = [
  'cycle.collected',
  'cycle.collected_late',
  'cycle.dunning',
  'cycle.skipped',
  'cycle.missed',
  'cycle.failed',
  'cycle.unresolved',
  'cycle.resolved',
  'cycle.skip_requested',
  'cycle.retry_requested',
] as const;

export const ATTEMPT_EVENTS = [
  'attempt.sending',
  'attempt.pending',
  'attempt.successful',
  'attempt.rejected_retryable',
  'attempt.rejected',
  'attempt.rejected_finally',
  'attempt.capture_failed',
  'attempt.not_sent',
  'attempt.unknown',
  'attempt.unresolved',
  'attempt.contradicted',
  'attempt.pending_past_window',
  'attempt.unknown_past_window',
  'attempt.settled_absent',
  'attempt.clocks_differ',
  'attempt.halted',
  'authorizations.unreadable',
  'consent.unreadable',
] as const;

export const REFUND_EVENTS = [
  'refund.requested',
  'refund.refused',
  'refund.sending',
  'refund.pending',
  'refund.successful',
  'refund.failed',
  'refund.not_sent',
  'refund.unknown',
  'refund.unresolved',
  'refund.contradicted',
  'refund.stopped',
  'refund.cannot_be_sent',
  'refund.clocks_differ',
  'refund.halted',
  'refunds.unreadable',
] as const;

export const PAYMENT_EVENTS = [
  'payment.requested',
  'payment.consent_granted',
  'payment.consent_failed',
  'payment.authorized',
  'payment.failed',
  'payment.captured',
  'payment.deadline_near',
  'payment.release_requested',
  'payment.release_refused',
  'payment.released',
  'payment.expired',
  'payment.orphaned',
  'payment.restarted',
] as const;

export const CAPTURE_EVENTS = [
  'capture.requested',
  'capture.refused',
  'capture.sending',
  'capture.pending',
  'capture.successful',
  'capture.failed',
  'capture.not_sent',
  'capture.unknown',
  'capture.unresolved',
  'capture.contradicted',
  'capture.stopped',
  'capture.cannot_be_sent',
  'capture.clocks_differ',
  'capture.halted',
  'captures.unreadable',
] as const;

export const HOUSE_EVENTS = [
  'notice.delivered',
  'notice.undeliverable',
  'alert.outcome_unknown',
  'alert.sent_in_vain',
  'alert.window_closing',
  'reconciliation.begun',
  'reconciliation.stopped',
  'reconciliation.difference',
  'halt.begun',
  'halt.lifted',
  'key.created',
  'key.revoked',
] as const;

export const EVENT_TYPES = [
  ...SUBSCRIPTION_EVENTS,
  ...AMOUNT_EVENTS,
  ...CYCLE_EVENTS,
  ...ATTEMPT_EVENTS,
  ...REFUND_EVENTS,
  ...PAYMENT_EVENTS,
  ...CAPTURE_EVENTS,
  ...HOUSE_EVENTS,
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** What an entry says besides its type, time and actor. Instants are ISO texts. */
export type EventData = Readonly<Record<string, unknown>>;

/** False for what another release of the program wrote. */
export function isEventType(type: string): type is EventType {
  return (EVENT_TYPES as readonly string[]).includes(type);
}

/** One entry of the trail, as far as it is to be told. */
export interface ToldEvent {
  readonly type: string;
  readonly actor: string;
  readonly data: EventData;
}

/** What the sentences are made of. Null where the entry does not say it, or not in the form in which it is written today. */
export interface Facts {
  readonly actor: string;
  readonly data: EventData;
  /** Whole numbers only. */
  readonly number: (name: string) => number | null;
  readonly text: (name: string) => string | null;
  /** `31 March 2027 at 09:00 UTC`. */
  readonly time: (name: string) => string | null;
  readonly money: (name: string) => string | null;
  /** Texts of a list, joined. */
  readonly list: (name: string) => string | null;
  /** The facts inside a field that is an object. */
  readonly inside: (name: string) => Facts | null;
}

/** The sentences of one type of entry; null for one that lacks its facts. */
export type Explanation = (facts: Facts) => readonly (string | null)[];

export function factsOf({ actor, data }: Pick<ToldEvent, 'actor' | 'data'>): Facts {
  return {
    actor,
    data,
    number: (name) => whole(data[name]),
    text: (name) => text(data[name]),
    time: (name) => describeTime(data[name]),
    money: (name) => describeMoney(data[name]),
    list: (name) => describeList(data[name]),
    inside: (name) => {
      const value = data[name];
      return isRecord(value) ? factsOf({ actor, data: value }) : null;
    },
  };
}

/** A sentence, or null where one of its facts is missing. */
export function say(parts: TemplateStringsArray, ...facts: (string | number | null)[]): string | null {
  if (facts.includes(null)) return null;
  return parts.map((part, index) => `${part}${facts[index] ?? ''}`).join('');
}

function isRecord(value: unknown): value is EventData {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function whole(value: unknown): number | null {
  return Number.isSafeInteger(value) ? (value as number) : null;
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function describeMoney(value: unknown): string | null {
  const cents = isRecord(value) ? whole(value['value']) : null;
  return cents === null || cents < 0 ? null : formatMoney({ value: cents, currency: 'EUR' });
}

function describeList(value: unknown): string | null {
  if (!Array.isArray(value)) return null;
  const texts = value.map(text).filter((each) => each !== null);
  return texts.length === 0 ? null : texts.join(', ');
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];

function describeTime(value: unknown): string | null {
  if (typeof value !== 'string' || !ISO.test(value)) return null;
  const instant = Date.parse(value);
  if (Number.isNaN(instant)) return null;
  const date = new Date(instant);
  const time = value.slice(11, value.slice(17, 19) === '00' ? 16 : 19);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()] ?? ''} ${date.getUTCFullYear()} at ${time} UTC`;
}

/** Phrases that several kinds of entry share. Null where the entry does not say it. */

/** `retry 2 of cycle 3`. */
export function attemptOf({ number }: Facts): string | null {
  const attempt = number('attempt');
  return say`${attempt === 0 ? 'the first attempt' : say`retry ${attempt}`} of cycle ${number('cycle')}`;
}

/** The same, at the beginning of a sentence. */
export function theAttempt(facts: Facts): string | null {
  const attempt = attemptOf(facts);
  return attempt === null ? null : `${attempt.charAt(0).toUpperCase()}${attempt.slice(1)}`;
}

/** The state of one side of a contradiction. */
export function stateOf(facts: Facts, name: string): string | null {
  return facts.inside(name)?.text('state')?.replaceAll('_', ' ') ?? null;
}

/** `Cycle 3, due on 31 March 2027 at 09:00 UTC,`, at the beginning of a sentence. */
export function theCycle({ number, time }: Facts): string | null {
  const cycle = number('cycle');
  if (cycle === null) return null;
  const dueAt = time('dueAt');
  return dueAt === null ? `Cycle ${cycle}` : `Cycle ${cycle}, due on ${dueAt},`;
}

/** What a person or the service gave as the reason; an end of sentence in it is not doubled. */
export function reasonOf(facts: Facts, name = 'reason'): string | null {
  return say`Reason: ${closed(facts.text(name))}`;
}

/** The refusal's own message, as the end of "it was refused". */
export function why({ text }: Facts): string {
  return say`: ${closed(text('message'))}` ?? '.';
}

/** A text of others as the end of a sentence. */
export function closed(text: string | null): string | null {
  if (text === null) return null;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** The phrase for a field's value, else the value itself in words. */
export function phrase(value: string | null, phrases: Readonly<Record<string, string>>): string | null {
  if (value === null) return null;
  return Object.hasOwn(phrases, value) ? (phrases[value] ?? null) : value.replaceAll('_', ' ');
}

/** Matters that wait for a person: `pending past window (cycle 3)`. */
export function mattersOf({ list }: Facts, name: string): string | null {
  return (
    list(name)
      ?.replaceAll('_', ' ')
      .replace(/:(\d+)/g, ' (cycle $1)') ?? null
  );
}
