import type { Clock } from '../clock';

/**
 * The clock that one payment lives by. It goes with everybody's until somebody moves it, so that a payment can be made
 * to live through days while the others, and the programs that use them, keep their own time.
 */
export interface PaymentClock extends Clock {
  /** Business time stands at `instant` from now on. @throws RangeError where that lies before its own now */
  holdAt(instant: number): void;
  /** Real time is so many milliseconds later from now on, and goes on. */
  passReal(ms: number): void;
}

export function createPaymentClock(clock: Clock): PaymentClock {
  let held: number | null = null;
  let ahead = 0;
  return {
    now: () => held ?? clock.now(),
    realNow: () => clock.realNow() + ahead,
    // Business time that stands does not go with real time either, at whatever speed.
    get setting() {
      return held === null ? clock.setting : { virtualStart: held, realStart: clock.realNow(), speed: 0 };
    },
    holdAt: (instant) => {
      if (instant < (held ?? clock.now())) throw new RangeError('the time of a payment does not run back');
      held = instant;
    },
    passReal: (ms) => {
      ahead += ms;
    },
  };
}
