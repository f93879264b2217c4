import { type Signal, signal } from '@preact/signals';
import type { components } from '../client/api';
import { NEEDS } from '../client/needs';
import type { OperationId } from '../client/operations';
import { setClock } from './format';

/** Who is signed in, as returned by `/v1/session`. `csrfToken` is sent with every write. */
export type Session = components['schemas']['Session'];

/** Null while no user is signed in. */
export const session: Signal<Session | null> = signal<Session | null>(null);

/** Name of the user who is signed in or, if none is, of the last one. */
export const lastUser = signal<string | null>(null);

/** Name of the user whom another window of this browser has replaced by signing in; null if none. */
export const replaced = signal<string | null>(null);

/** Why the user has to sign in again; null before the first sign-in, while signed in, and after signing out. */
export const endedBecause = signal<string | null>(null);

const ROLES: readonly Session['role'][] = ['viewer', 'operator', 'admin'];

/** Whether the signed-in key may call this operation. The console does not offer what the key may not do. */
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
  lastUser.value = entered.name;
  session.value = entered;
}

/** Called when the session has ended. @param why the user has to sign in again; null after signing out */
export function leave(why: string | null): void {
  if (session.peek() === null) return;
  endedBecause.value = why;
  replaced.value = null;
  session.value = null;
}

/** For how many ms after the last input the user counts as present. */
const PRESENCE = 60_000;

let lastInput = performance.now();

/** Notes the user's last input: requests that the page makes by itself must not keep an idle session alive. */
export function watchAttendance(page: EventTarget): void {
  const note = () => (lastInput = performance.now());
  // Speech input clicks without pointer and key events.
  for (const type of ['pointerdown', 'click', 'keydown', 'wheel'])
    page.addEventListener(type, note, { passive: true, capture: true });
}

export function isAttended(): boolean {
  return performance.now() - lastInput < PRESENCE;
}
