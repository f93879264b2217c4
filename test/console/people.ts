import type { Session } from '../../src/console/session';

/** Of an admin with the whole role, as the API answers it. */
export function sessionOf(name: string, csrfToken = 'a token'): Session {
  return {
    name,
    csrfToken,
    role: 'admin',
    scopes: [],
    idleEndsAt: '2027-01-31T12:30:00.000Z',
    endsAt: '2027-02-01T00:00:00.000Z',
    clock: { now: '2027-01-31T12:00:00.000Z', speed: 1, isTest: false },
    eventDependentRefunds: false,
  };
}
