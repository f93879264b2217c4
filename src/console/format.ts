import { computed, signal } from '@preact/signals';
import type { NoticeKind } from '../contract/notices';
import { counted as countedBy } from '../domain/money';
import { DAY, HOUR, MINUTE } from '../domain/time';
import { readStored, store } from './stored';

export interface MoneyValue {
  /** Minor units: 1999 is 19.99. */
  readonly value: number;
  readonly currency: string;
}

const currencies = new Map<string, Intl.NumberFormat>();

/** An amount in the user's locale. */
export function money({ value, currency }: MoneyValue): string {
  const format = currencies.get(currency) ?? new Intl.NumberFormat(undefined, { style: 'currency', currency });
  currencies.set(currency, format);
  return format.format(value / 100);
}

/** An amount as the API writes it in texts: `1019.99 EUR`. */
const WRITTEN = /(?<![\w.,-])(\d+)\.(\d\d) (EUR)\b/g;

/** A text of the API, with its amounts in the user's locale like those of the page. */
export function withAmounts(text: string): string {
  return text.replace(WRITTEN, (_, whole: string, cents: string, currency: string) =>
    money({ value: Number(whole) * 100 + Number(cents), currency }),
  );
}

export function isMoney(value: unknown): value is MoneyValue {
  return (
    typeof value === 'object' &&
    value !== null &&
    'value' in value &&
    Number.isSafeInteger(value.value) &&
    'currency' in value &&
    typeof value.currency === 'string'
  );
}

/** A value of any type in a request or an answer, as text. */
export function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return withAmounts(value);
  if (isMoney(value)) return money(value);
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.map(withAmounts).join(' ');
  return JSON.stringify(value);
}

const numbers = new Intl.NumberFormat();
const utcDays = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

/** The time zone of all times on the page; the other is shown on hover. */
export type Zone = 'local' | 'utc';

const STORED_AS = 'dueday.zone';

export const zone = signal<Zone>(readStored(STORED_AS) === 'utc' ? 'utc' : 'local');

export function chooseZone(next: Zone): void {
  zone.value = next;
  store(STORED_AS, next);
}

/** IANA name of the page's time zone. */
export function pageTimeZone(): string {
  return zone.value === 'utc' ? 'UTC' : new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

const FORMATS = {
  local: formatsIn(undefined),
  utc: formatsIn('UTC'),
};

function formatsIn(timeZone: string | undefined) {
  return {
    instant: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short', timeZone }),
    day: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone }),
  };
}

export function count(n: number): string {
  return numbers.format(n);
}

/** `1 payment`, `1,204 payments`. @param many the plural, unless it is `one` with an s */
export function counted(n: number, one: string, many?: string): string {
  return countedBy(n, one, many, count);
}

/** Date and time in the zone of the page. */
export function instant(iso: string): string {
  return FORMATS[zone.value].instant.format(new Date(iso));
}

/** The same instant in the other zone, with that zone's name. */
export function otherInstant(iso: string): string {
  return zone.value === 'utc'
    ? `${FORMATS.local.instant.format(new Date(iso))} local time`
    : `${FORMATS.utc.instant.format(new Date(iso))} UTC`;
}

/** The date in the zone of the page; for a date without a time, that UTC day. */
export function day(iso: string): string {
  return (iso.length === 'YYYY-MM-DD'.length ? utcDays : FORMATS[zone.value].day).format(new Date(iso));
}

/** Such as `2 d 4 h`, `3 h 20 min`, `12 min`; null once the instant has come. @param at epoch ms of business time */
export function hoursLeft(iso: string, at: number): string | null {
  const left = Date.parse(iso) - at;
  if (left <= 0) return null;
  if (left < HOUR) return `${Math.max(1, Math.floor(left / MINUTE))} min`;
  if (left < 2 * DAY) return `${Math.floor(left / HOUR)} h ${Math.floor((left % HOUR) / MINUTE)} min`;
  return `${Math.floor(left / DAY)} d ${Math.floor((left % DAY) / HOUR)} h`;
}

/** API names that would not mean anything to a clerk. */
const PLAIN: Readonly<Partial<Record<string, string>>> = {
  dunning: 'in retry',
  unresolved: 'outcome unknown',
  rejected_retryable: 'declined, can be retried',
  rejected: 'declined',
  dead: 'given up',
  capture_failed: 'debit failed',
  'capture failed': 'debit failed',
};

/** API names in plain words: `past_due` is `past due`. */
export function words(name: string): string {
  return PLAIN[name] ?? name.replaceAll('_', ' ');
}

const NOTICES: Readonly<Record<NoticeKind, string>> = {
  'payment.failed': 'A payment failed',
  'payment.increase_announced': 'The amount will rise',
  'payment.upcoming': 'A payment is due soon',
  'subscription.paused': 'Paused',
  'subscription.resumed': 'Resumed',
  'subscription.cancelled': 'Cancelled',
  'subscription.completed': 'Completed',
  'consent.failed': 'The consent failed',
  'cycle.missed': 'A cycle was missed',
  'cycle.failed': 'A cycle failed',
  'cycle.unresolved': 'An outcome is unknown',
  'capture.deadline_near': 'A capture deadline is near',
};

/** The name of a notice; the API's own, in plain words, for a type that this page does not know. */
export function nameOfNotice(type: string): string {
  const known: Readonly<Partial<Record<string, string>>> = NOTICES;
  return known[type] ?? words(type.replace('.', ' '));
}

const ticking = signal(Date.now());
const today = computed(() => Math.floor(ticking.value / DAY));
let read = { business: Date.now(), at: performance.now(), speed: 1 };

/** The API's business clock in epoch ms. A view that calls this is redrawn once a second. */
export function now(): number {
  return ticking.value;
}

/** Whether an instant in real time, such as the end of a key, has passed. */
export function hasPassed(realAt: string): boolean {
  return Date.parse(realAt) <= Date.now();
}

/** The UTC day, `YYYY-MM-DD`, `days` from today. A view that calls this is redrawn once a day. */
export function utcDay(days = 0): string {
  return new Date((today.value + days) * DAY).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** Sets the clock to the API's latest answer. @param speed seconds of business time per real second */
export function setClock(iso: string, speed: number): void {
  read = { business: Date.parse(iso), at: performance.now(), speed };
  tick();
}

/** Starts the clock. */
export function startClock(): void {
  setInterval(tick, 1000);
}

function tick(): void {
  ticking.value = read.business + (performance.now() - read.at) * read.speed;
}

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });

/** The part of a whole in per cent; a dash if there is no whole. */
export function share(part: number, whole: number): string {
  return whole === 0 ? '–' : percent.format(part / whole);
}
