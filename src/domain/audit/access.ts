import { type Events, type Facts, phrase, reasonOf, say, fromAddress } from './event';

/** The actor of refused access without a valid key, and of callers beyond those that are counted separately. No key has this name. */
export const UNKNOWN_CALLER = 'unknown';

/** Entries about refused access, exports, and the integrity of the audit log. */
export const ACCESS_EVENTS = {
  'access.refused': {
    rule: null,
    says: (facts) => [
      say`${refusedCallers(facts)} refused${times(facts.number('count'))}: ${phrase(facts.text('code'), CODES)}.`,
      fromAddress(facts) ?? 'From more addresses than are recorded separately.',
      say`First ${facts.text('route')}, on ${facts.time('firstAt')} (real time).`,
      say`Last on ${facts.time('lastAt')}.`,
    ],
  },
  'transactions.exported': {
    rule: null,
    says: (facts) => [
      say`${facts.actor} exported the transactions as CSV, from ${facts.time('from')}${until(facts.time('to'))}.` ??
        say`${facts.actor} exported the transactions as CSV${until(facts.time('to'))}.`,
      fromAddress(facts),
    ],
  },
  'subscriptions.exported': {
    rule: null,
    says: (facts) => [
      facts.data['withPayers'] === true
        ? say`${facts.actor} exported subscriptions, with their payers' data.`
        : say`${facts.actor} exported subscriptions, without their payers' data.`,
      fromAddress(facts),
    ],
  },
  'failing_payers.exported': {
    rule: null,
    says: (facts) => [
      facts.data['withEmails'] === true
        ? say`${facts.actor} exported the payers whose last due cycle was refused as CSV, with their e-mail addresses.`
        : say`${facts.actor} exported the payers whose last due cycle was refused as CSV, without e-mail addresses.`,
      fromAddress(facts),
    ],
  },
  'audit.head': {
    rule: null,
    says: (facts) => [
      say`The hash chain of the audit log has ${facts.number('entries')} links. The last one is ${facts.text('head')}.`,
    ],
  },
  'audit.redacted': {
    rule: null,
    says: (facts) => [
      say`${facts.actor} removed text from entry ${facts.number('entry')} of the audit log: ${facts.list('fields')}.`,
      reasonOf(facts),
    ],
  },
} satisfies Events;

const CODES = {
  unauthenticated: 'the key or session is unknown',
  forbidden: 'the role or the scopes of the key do not allow it',
  limit_exceeded: 'a limit of the key forbids it',
  csrf_failed: 'a write in a session did not come from the console',
  rate_limited: 'too many requests',
};

function refusedCallers(facts: Facts): string {
  if (facts.actor !== UNKNOWN_CALLER) return `${facts.actor} was`;
  return facts.text('address') === null ? 'Other callers were' : 'A caller without a valid key was';
}

function times(count: number | null): string | null {
  return count === 1 ? '' : say` ${count} times`;
}

function until(time: string | null): string {
  return say` until ${time}` ?? '';
}
