import { formatMoney } from '../money';

/** Who acts, as named in the audit log. */
export interface Actor {
  /** The name of an API key, `dueday`, `command line`; `unknown` for refused callers without a valid key. */
  readonly actor: string;
  /** The id of the key, as in `GET /v1/keys`; null or absent if no key acts. */
  readonly keyId?: string | null | undefined;
}

/** Returns only the actor of an object that contains one. */
export function actorOf({ actor, keyId }: Actor): Actor {
  return { actor, keyId };
}

/** The data of an entry besides its type, time and actor. Instants are ISO texts. */
export type EventData = Readonly<Record<string, unknown>>;

/** What the explanation of an audit entry needs. */
export interface ExplainedEvent {
  readonly type: string;
  readonly actor: string;
  readonly data: EventData;
}

/** The facts used in the sentences. Null if the entry lacks a fact or has it in an older form. */
export interface Facts {
  readonly actor: string;
  readonly data: EventData;
  /** Whole numbers only. */
  readonly number: (name: string) => number | null;
  readonly text: (name: string) => string | null;
  /** `31 March 2027 at 09:00 UTC`. */
  readonly time: (name: string) => string | null;
  readonly money: (name: string) => string | null;
  /** The texts of a list, joined. */
  readonly list: (name: string) => string | null;
  /** The facts inside a field that is an object. */
  readonly inside: (name: string) => Facts | null;
}

/** The rule on which a decision is based. */
export interface CitedRule {
  /** Its number in docs/explain/rules.md. */
  readonly decision: number;
  readonly sentence: string;
  /** The source: the payment service's description, or dueday's own rules if the description says nothing. */
  readonly source: 'reference' | 'dueday';
}

/** The types of audit entries of one subject. */
export type Events = Readonly<Record<string, EventEntry>>;

export interface EventEntry {
  /** Null if the entry is based on no rule: an operator's own decision, for example. */
  readonly rule: CitedRule | null | ((data: EventData) => CitedRule);
  /** The sentences of the entry; null for a sentence that lacks its facts. */
  readonly says: (facts: Facts) => readonly (string | null)[];
}

export function factsOf({ actor, data }: Pick<ExplainedEvent, 'actor' | 'data'>): Facts {
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

/** A sentence, or null if one of its facts is missing. */
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

// Phrases that several kinds of entry share. Each is null if the entry lacks its facts.

/** An attempt in words: `retry 2 of cycle 3`. */
export function attemptOf({ number }: Facts): string | null {
  const attempt = number('attempt');
  return say`${attempt === 0 ? 'the first attempt' : say`retry ${attempt}`} of cycle ${number('cycle')}`;
}

/** An attempt in words, at the start of a sentence. */
export function theAttempt(facts: Facts): string | null {
  const attempt = attemptOf(facts);
  return attempt === null ? null : `${attempt.charAt(0).toUpperCase()}${attempt.slice(1)}`;
}

/** The state on one side of a contradiction. */
export function stateOf(facts: Facts, name: string): string | null {
  return facts.inside(name)?.text('state')?.replaceAll('_', ' ') ?? null;
}

/** `Cycle 3, due on 31 March 2027 at 09:00 UTC,`, at the start of a sentence. */
export function theCycle({ number, time }: Facts): string | null {
  const cycle = number('cycle');
  if (cycle === null) return null;
  const dueAt = time('dueAt');
  return dueAt === null ? `Cycle ${cycle}` : `Cycle ${cycle}, due on ${dueAt},`;
}

/** ` (cycle 3)`; empty if the entry belongs to no cycle. */
export function ofCycle({ number }: Facts): string {
  return say` (cycle ${number('cycle')})` ?? '';
}

/** The reason given by an operator or the service; a full stop at its end is not doubled. */
export function reasonOf(facts: Facts, name = 'reason'): string | null {
  return say`Reason: ${closed(facts.text(name))}`;
}

/** The address from which an act was requested. */
export function fromAddress({ text }: Facts): string | null {
  return say`From ${text('address')}.`;
}

/** The refusal's own message, as the end of "it was refused". */
export function why({ text }: Facts): string {
  return say`: ${closed(text('message'))}` ?? '.';
}

/** An external text as the end of a sentence. */
export function closed(text: string | null): string | null {
  if (text === null) return null;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** The phrase for a field's value, otherwise the value itself as words. */
export function phrase(value: string | null, phrases: Readonly<Record<string, string>>): string | null {
  if (value === null) return null;
  return Object.hasOwn(phrases, value) ? (phrases[value] ?? null) : value.replaceAll('_', ' ');
}

/** Attention items in words: `pending past window (cycle 3)`. */
export function attentionItemsOf({ list }: Facts, name: string): string | null {
  return (
    list(name)
      ?.replaceAll('_', ' ')
      .replace(/:(\d+)/g, ' (cycle $1)') ?? null
  );
}

/**
 * The end of the audit log as read by a worker, kept outside the ledger: in the worker's memory and in a workflow's state.
 * Entries are never removed, and their ids only increase, so a ledger whose log ends earlier was restored to an earlier state.
 */
export interface AuditPosition {
  /** When the ledger was last accepted (rule 45), real time: positions from before that no longer count. */
  readonly epoch: number;
  /** The id of the newest entry; 0 if there is none. */
  readonly entry: number;
}

/** A position stored where others can write, with the ledger's MAC. */
export interface SignedMark extends AuditPosition {
  /** Computed with a secret that only the ledger has; absent in positions from older workers. */
  readonly mac?: string;
}

/** Whether a ledger at this position has lost entries that the mark includes. */
export function isBehind({ epoch, entry }: AuditPosition, mark: AuditPosition): boolean {
  return epoch === mark.epoch ? entry < mark.entry : epoch < mark.epoch;
}
