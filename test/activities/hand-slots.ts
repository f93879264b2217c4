import { InPlaceSlots } from '../../activities';
import type { HandClock } from '../../src/simulation/hand-clock';

/** Slots for attempts within workflow tasks, whose waits pass on a clock that is set by hand. */
export class HandSlots extends InPlaceSlots {
  constructor(
    private readonly clock: HandClock,
    slots = 10,
  ) {
    super(slots);
  }

  override async wait(ms: number): Promise<boolean> {
    this.clock.pass(ms);
    return true;
  }
}
