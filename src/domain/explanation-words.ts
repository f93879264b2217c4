import { type Facts, say } from './event-facts';

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
