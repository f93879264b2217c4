import { type Signal, signal } from '@preact/signals';
import type { components } from '../client/api';
import { NEEDS } from '../client/needs';
import type { OperationId } from '../client/operations';
import { setClock } from './format';

/** Who is signed in, as `/v1/session` answers it. `csrfToken` goes back with every write. */
export type Session = components['schemas']['Session'];

/** Null while no user is signed in. */
export const session: Signal<Session | null> = signal<Session | null>(null);

/** The name of who is signed in or, where nobody is, was last. */
export const person = signal<string | null>(null);

/** In whose place another window of this browser has signed in another person; null where none has. */
export const replaced = signal<string | null>(null);

/** Why the page asks for a key again; null where no user was signed in. */
export const endedBecause = signal<string | null>(null);

const ROLES: readonly Session['role'][] = ['viewer', 'operator', 'admin'];

/** Whether the key of the one who is signed in may make this call: what it may not do is not offered. */
export function may(operation: OperationId): boolean {
  const needs = NEEDS[operation];
  const held = session.value;
  if (needs === null || held === null) return needs === null;
  if (ROLES.indexOf(held.role) < ROLES.indexOf(needs.role)) return false;
  const scopes: readonly string[] = held.scopes;
  return scopes.length === 0 || needs.scopes.some((each) => each === 'any' || scopes.includes(each));
}

export function enter(entered: Session): void {
  setClock(entered.clock.now, entered.clock.speed);
  endedBecause.value = null;
  const before = session.peek();
  if (before !== null && before.name !== entered.name) replaced.value = before.name;
  person.value = entered.name;
  session.value = entered;
}

/** The API no longer knows the session. */
export function leave(why: string | null): void {
  if (session.peek() === null) return;
  endedBecause.value = why;
  replaced.value = null;
  session.value = null;
}

/** Ms after the last key or pointer within which the user counts as being there. */
const PRESENCE = 60_000;

let lastInput = performance.now();

/** Notes when the user last touched the page: what it asks for by itself must not keep a session from its idle end. */
export function watchAttendance(page: EventTarget): void {
  const note = () => (lastInput = performance.now());
  // Who speaks to the page clicks without a pointer and without a key.
  for (const type of ['pointerdown', 'click', 'keydown', 'wheel'])
    page.addEventListener(type, note, { passive: true, capture: true });
}

export function isAttended(): boolean {
  return performance.now() - lastInput < PRESENCE;
}
