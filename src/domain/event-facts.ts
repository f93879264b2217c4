import type { EventData } from './event-types';
import { formatMoney } from './money';

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
