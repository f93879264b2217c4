import type { Needs } from '../keys/powers';

const STEERS = { role: 'operator', scope: 'subscriptions:steer' } as const;

/** Which key each call needs that can be made for many subscriptions at once, too, by the name that it has there. */
export const STEERING_NEEDS = {
  pause: STEERS,
  resume: STEERS,
  cancel: { ...STEERS, role: 'admin' },
  retry: STEERS,
  'consent-check': { ...STEERS, scope: ['subscriptions:create', 'subscriptions:steer'] },
  acknowledge: { ...STEERS, scope: ['subscriptions:steer', 'attention'] },
  'amount-change': STEERS,
} as const satisfies Readonly<Record<string, Needs>>;
