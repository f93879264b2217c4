import type { Clock } from '../../src/platform/clock';
import { toBusiness } from '../../src/domain/time';
import type { World } from './activity-world';

/** The clock of the worker's machine, which the test sets; the clocks of Temporal and of the service stay right. */
export class SetClock implements Clock {
  readonly setting;
  private offset = 0;

  constructor(private readonly right: World['clock']) {
    this.setting = right.setting;
  }

  now = () => toBusiness(this.setting, this.realNow());
  realNow = () => this.right.realNow() + this.offset;

  /** @param offset ms ahead of the right clock; negative if behind */
  set(offset: number): void {
    this.offset = offset;
  }
}
