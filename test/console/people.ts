import type { Session } from '../../src/console/session';

/** The session of an admin without scopes. */
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
